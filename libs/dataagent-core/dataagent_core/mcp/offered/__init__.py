"""What MCP servers offer: tools for the agent, resources and prompts for a person."""

from dataagent_core.mcp.offered.content import OfferedPrompt, OfferedResource, ServerContent
from dataagent_core.mcp.offered.held import HeldCalls
from dataagent_core.mcp.offered.home import SignInPage
from dataagent_core.mcp.offered.servers import LOCAL_TENANT, AgentServers, Offered

__all__ = [
    "LOCAL_TENANT",
    "AgentServers",
    "HeldCalls",
    "Offered",
    "OfferedPrompt",
    "OfferedResource",
    "ServerContent",
    "SignInPage",
]
