"""What the MySQL worker is made of."""
