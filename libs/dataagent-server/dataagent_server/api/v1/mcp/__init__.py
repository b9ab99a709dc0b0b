"""Routes about MCP servers."""
