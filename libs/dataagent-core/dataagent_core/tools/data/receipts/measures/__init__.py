"""Finds the measure of a figure."""
