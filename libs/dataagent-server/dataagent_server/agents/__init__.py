"""The configuration of agents: assistants, models, credentials, permission rules, MCP servers."""
