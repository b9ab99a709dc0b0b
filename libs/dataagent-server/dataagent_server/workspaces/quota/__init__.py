"""Counters of bytes and files, and space that is reserved before a write."""
