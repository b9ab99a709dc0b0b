"""Sentences about what was learned from runs."""
