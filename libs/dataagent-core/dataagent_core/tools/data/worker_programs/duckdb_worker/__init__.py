"""What the DuckDB worker is made of."""
