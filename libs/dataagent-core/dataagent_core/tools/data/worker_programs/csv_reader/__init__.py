"""Reads CSV files as people have them: encoding, separator, numbers, dates."""
