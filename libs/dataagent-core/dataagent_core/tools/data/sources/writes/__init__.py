"""Writes to a source: `sql_write`."""
