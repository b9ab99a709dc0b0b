"""What the SQLite worker is made of."""
