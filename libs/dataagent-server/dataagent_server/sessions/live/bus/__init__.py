"""Notices between processes: over Redis if configured, else PostgreSQL, else by polling."""
