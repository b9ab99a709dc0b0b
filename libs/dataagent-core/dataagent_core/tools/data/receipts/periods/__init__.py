"""Finds the period of a figure."""
