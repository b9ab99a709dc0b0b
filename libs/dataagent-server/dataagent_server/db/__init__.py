"""The database: one port, three dialects, the tables and their migrations. Knows no feature."""
