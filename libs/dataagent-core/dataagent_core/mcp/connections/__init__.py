"""Connections to MCP servers: one for each owner, server and configuration, opened when needed."""

from dataagent_core.mcp.connections.connection import ServerConnection
from dataagent_core.mcp.connections.connection_limit import ConnectionLimits
from dataagent_core.mcp.connections.manager import ConnectResult, MCPConnectionManager

__all__ = ["ConnectResult", "ConnectionLimits", "MCPConnectionManager", "ServerConnection"]
