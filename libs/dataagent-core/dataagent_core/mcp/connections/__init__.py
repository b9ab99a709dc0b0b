"""Connections to MCP servers: one for each owner, server and configuration, opened when needed."""

from dataagent_core.mcp.connections.connection import ServerConnection
from dataagent_core.mcp.connections.connection_limits import ConnectionLimits
from dataagent_core.mcp.connections.listings.connect_result import ConnectResult
from dataagent_core.mcp.connections.manager import MCPConnectionManager

__all__ = ["ConnectResult", "ConnectionLimits", "MCPConnectionManager", "ServerConnection"]
