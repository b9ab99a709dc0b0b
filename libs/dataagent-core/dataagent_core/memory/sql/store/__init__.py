"""Memories as rows: their statements, and the store made of them."""
