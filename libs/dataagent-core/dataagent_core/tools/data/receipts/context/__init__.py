"""Reads the text around a figure."""
