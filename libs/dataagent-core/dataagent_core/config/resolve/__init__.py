"""Resolves settings: which value wins (`precedence.py`), and where it came from."""
