"""What the PostgreSQL worker is made of."""
