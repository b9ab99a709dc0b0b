"""Using one MCP server from the command line: calls, its tools, signing in."""
