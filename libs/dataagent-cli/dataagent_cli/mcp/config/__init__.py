"""Which MCP servers are written down, where, and which of them an agent gets (`servers.py`)."""
