"""Using one MCP server from the command line: calls, tools, sign-in."""
