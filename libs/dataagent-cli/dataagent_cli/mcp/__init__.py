"""MCP servers of the person at this machine. Start at `servers.py`: which of them an agent gets."""
