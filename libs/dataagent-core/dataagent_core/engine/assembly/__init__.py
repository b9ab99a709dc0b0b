"""What an agent is put together from: tools, folders, sandboxes, MCP servers, limits."""
