"""MCP: the servers an agent may use."""

from dataagent_core.mcp.config import MCPConfig, MCPServerConfig

__all__ = ["MCPConfig", "MCPServerConfig"]
