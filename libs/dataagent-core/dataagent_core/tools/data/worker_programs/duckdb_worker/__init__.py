"""The parts of the DuckDB worker."""
