"""What agents are made of: assistants, models, credentials, permission rules, MCP servers."""
