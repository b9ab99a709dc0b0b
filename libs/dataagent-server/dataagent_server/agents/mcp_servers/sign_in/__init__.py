"""Sign-ins at MCP servers: pending flows, tokens, and the service."""
