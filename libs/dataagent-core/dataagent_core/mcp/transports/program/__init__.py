"""Servers that are programs: how one is found, sandboxed, started and stopped."""
