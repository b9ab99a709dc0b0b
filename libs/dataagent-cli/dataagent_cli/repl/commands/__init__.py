"""Slash commands. `registry.py` lists them; each is a small file beside it."""
