"""`dataagent mcp serve`: this machine as an MCP server. Start at `server.py`."""
