"""The configuration of MCP servers: read, checked, written."""
