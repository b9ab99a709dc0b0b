"""DataAgent as an MCP server: `/mcp`, for other products' agents, with a key or an OAuth token.

mount.py     the route and its life        entry.py   who is asking, before MCP hears of it
services.py  what core's MCP server asks for a tenant's people; bench.py, agent.py   what they have
rights.py    roles and keys as MCP scopes  oauth.py   tokens of another issuer

The protocol, the tools and the gate are core's (`dataagent_core/mcp/serving/`).
"""
