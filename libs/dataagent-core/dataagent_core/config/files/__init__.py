"""Reads and changes the configuration files that users write."""
