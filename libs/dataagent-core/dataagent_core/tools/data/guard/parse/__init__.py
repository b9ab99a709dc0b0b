"""Parses SQL text into a tree, in the dialect of its source."""
