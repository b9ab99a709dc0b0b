"""Rewrites a checked statement into the SQL that runs."""
