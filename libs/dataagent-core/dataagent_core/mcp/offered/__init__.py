"""The tools of MCP servers, as tools of the agent."""

from dataagent_core.mcp.offered.held import HeldCalls
from dataagent_core.mcp.offered.home import SignInPage
from dataagent_core.mcp.offered.servers import LOCAL_TENANT, AgentServers, Offered

__all__ = ["LOCAL_TENANT", "AgentServers", "HeldCalls", "Offered", "SignInPage"]
