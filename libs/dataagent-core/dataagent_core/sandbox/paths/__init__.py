"""Paths as a tool, a sandbox and the host name them."""
