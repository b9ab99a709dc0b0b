"""Builds our MCP server with FastMCP: tools by scope, resources, and the call ledger.

`serve_stdio` serves it over standard input and output, for a client that started this process.
FastMCP moves the real output away first: whatever else prints goes to standard error.
"""

# First: it sets FastMCP up before FastMCP is imported.
from dataagent_core.mcp.server.fastmcp_library import make_fastmcp

# isort: split
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from fastmcp import FastMCP
from fastmcp.server.providers import Provider
from fastmcp.tools.base import Tool
from fastmcp.utilities.components import FastMCPComponent
from fastmcp.utilities.versions import VersionSpec
from mcp.server.request_state import RequestStateSecurity

from dataagent_core.config.limits.mcp import MCP_SERVED_ANSWER_S
from dataagent_core.mcp.server.ask_agent import ask_agent_tool
from dataagent_core.mcp.server.call_ledger import CallLedger
from dataagent_core.mcp.server.ports import MCPServices
from dataagent_core.mcp.server.resources import add_resources
from dataagent_core.mcp.server.served_tool import GuardedTool, make_served_tool
from dataagent_core.mcp.server.subscriptions import add_subscriptions
from dataagent_core.mcp.server.tool_table import SERVED, ServedToolRow

NAME: Final = "dataagent"
_INSTRUCTIONS: Final = (
    "DataAgent queries data sources and files. Look first (data_list_sources, data_search_catalog, "
    "data_describe), then ask with sql_query; rows are kept under a result id. ask_agent gives a "
    "whole question to DataAgent's own agent."
)


class ServedTools(Provider):
    """The tools a caller may use; the list is read once, from the first toolset that opens."""

    def __init__(self, services: MCPServices, served: Mapping[str, ServedToolRow]) -> None:
        super().__init__()
        self._services = services
        self._served = served
        self._ask_agent = ask_agent_tool(services)
        self._tools: dict[str, GuardedTool] | None = None

    async def _list_tools(self) -> Sequence[Tool]:
        caller = await self._services.caller()
        return [tool for tool in (await self._load_tools()).values() if tool.is_for(caller)]

    async def _get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:
        # A tool the caller may not use is returned too: it refuses, and the refusal is recorded.
        return (await self._load_tools()).get(name) if version is None else None

    async def get_tasks(self) -> Sequence[FastMCPComponent]:
        # FastMCP calls this when the server starts, without a caller; our calls are never tasks.
        return []

    async def _load_tools(self) -> dict[str, GuardedTool]:
        if self._tools is None:
            async with self._services.open_toolset(await self._services.caller()) as toolset:
                entries = toolset.registry.entries
                tools: dict[str, GuardedTool] = {
                    name: make_served_tool(self._services, served, entries[name].tool)
                    for name, served in self._served.items()
                    if name in entries
                }
            tools_by_name = {**tools, self._ask_agent.name: self._ask_agent}
            # This caller may have fewer tools than others, so the list is not kept.
            if len(tools) < len(self._served):
                return tools_by_name
            self._tools = tools_by_name
        return self._tools


def build_server(
    services: MCPServices,
    *,
    served: Mapping[str, ServedToolRow] = SERVED,
    state_keys: Sequence[bytes] | None = None,
) -> "FastMCP[Any]":
    """Build the server.

    `state_keys` seal the state a client carries between two rounds of a question. Processes that
    serve one address must share them; the first key seals.
    """
    ttl = MCP_SERVED_ANSWER_S
    security = (
        RequestStateSecurity(keys=list(state_keys), ttl=ttl, audience=NAME)
        if state_keys
        else RequestStateSecurity.ephemeral(ttl=ttl, audience=NAME)
    )
    server: FastMCP[Any] = make_fastmcp(
        NAME,
        instructions=_INSTRUCTIONS,
        version=version("dataagent-core"),
        middleware=[CallLedger(services)],
        providers=[ServedTools(services, served)],
        request_state_security=security,
        # Defects are logged; their details are not sent to a client.
        mask_error_details=True,
    )
    add_resources(server, services)
    add_subscriptions(server, services)
    return server


async def serve_stdio(services: MCPServices) -> None:
    """Serve until the client closes our input."""
    await build_server(services).run_stdio_async(show_banner=False)
