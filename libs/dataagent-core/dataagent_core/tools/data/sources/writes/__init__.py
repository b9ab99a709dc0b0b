"""Changing a source: `sql_write`."""
