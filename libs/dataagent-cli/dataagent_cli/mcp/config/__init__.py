"""The configured MCP servers, their files, and which of them an agent gets (`servers.py`)."""
