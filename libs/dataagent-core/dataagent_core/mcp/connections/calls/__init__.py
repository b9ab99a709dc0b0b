"""Calls of a connected server, and what the server asks during one."""
