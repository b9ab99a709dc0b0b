"""Finds figures in a text and reads their values and units."""
