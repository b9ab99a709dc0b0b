"""MCP servers of the person at this machine: configuration, client, and our own server."""
