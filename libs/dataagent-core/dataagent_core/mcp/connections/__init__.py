"""Connections to MCP servers: one for each owner, server and configuration, opened when needed."""

from dataagent_core.mcp.connections.connection import ServerConnection
from dataagent_core.mcp.connections.limits import ConnectionLimits
from dataagent_core.mcp.connections.listed import Listed
from dataagent_core.mcp.connections.manager import MCPConnectionManager

__all__ = ["ConnectionLimits", "Listed", "MCPConnectionManager", "ServerConnection"]
