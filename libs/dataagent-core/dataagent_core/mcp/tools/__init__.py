"""What MCP servers offer: tools for the agent, resources and prompts for a person."""

from dataagent_core.mcp.tools.agent_servers import LOCAL_TENANT, AgentServers, ServerOffers
from dataagent_core.mcp.tools.content import OfferedPrompt, OfferedResource, ServerContent
from dataagent_core.mcp.tools.held_calls import HeldCalls
from dataagent_core.mcp.tools.tool_context import SignInPage

__all__ = [
    "LOCAL_TENANT",
    "AgentServers",
    "HeldCalls",
    "OfferedPrompt",
    "OfferedResource",
    "ServerContent",
    "ServerOffers",
    "SignInPage",
]
