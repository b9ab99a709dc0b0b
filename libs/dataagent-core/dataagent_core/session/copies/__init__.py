"""Copies of a session: fork, bundle, import."""
