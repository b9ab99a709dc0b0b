"""What is said of MCP servers, in Chinese."""
