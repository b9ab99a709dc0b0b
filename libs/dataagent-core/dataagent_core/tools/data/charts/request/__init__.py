"""Parses the request for a chart."""
