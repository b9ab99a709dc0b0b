"""Counters of bytes and files, and room that is reserved before a write."""
