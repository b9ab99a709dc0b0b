"""Signing in at MCP servers: flows under way, tokens, and the service."""
