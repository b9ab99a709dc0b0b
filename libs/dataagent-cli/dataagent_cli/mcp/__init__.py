"""MCP servers of the person at this machine: written down, used, and served ourselves."""
