"""Resolves the tables and columns of a parsed statement."""
