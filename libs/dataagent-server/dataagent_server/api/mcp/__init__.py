"""DataAgent as an MCP server: `/mcp`, for other agents, with an API key or an OAuth token.

    mount.py      the route and its lifetime entry.py      authentication, before MCP reads the
    request; `oauth.py`: tokens of another issuer services.py   core's `MCPServices`;
    `caller_tools.py`: the tools of a caller; `agent.py`: its agent rights.py     roles and API keys
    as MCP scopes

The protocol, the tools and the gate are in core (`dataagent_core/mcp/server/`).
"""
