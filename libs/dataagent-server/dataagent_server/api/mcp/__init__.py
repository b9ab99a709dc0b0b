"""DataAgent as an MCP server: `/mcp`, for other agents, with an API key or an OAuth token.

mount.py              the route and its lifetime
entry.py              authentication, before MCP reads the request
token_reader.py       tokens of another issuer; `discovery.py`: where its keys are
role_scopes.py        roles and API keys as MCP scopes
endpoint_services.py  core's `MCPServices`
caller_tools.py       the tools of a caller; `server_agent.py`: its agent

The protocol, the tools and the gate are in core (`dataagent_core/mcp/server/`).
"""
