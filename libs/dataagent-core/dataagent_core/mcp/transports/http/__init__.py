"""Servers at an address: streamable HTTP, SSE and WebSocket over one bounded client."""
