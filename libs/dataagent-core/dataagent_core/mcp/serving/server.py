"""Puts our MCP server together: tools by scope, resources, the ledger around them."""

# First: how FastMCP is imported.
from dataagent_core.mcp.serving.library import make_fastmcp

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

from dataagent_core.config.mcp_limits import MCP_SERVED_ANSWER_S
from dataagent_core.mcp.serving.ask_agent import ask_agent_tool
from dataagent_core.mcp.serving.ledger import Ledger
from dataagent_core.mcp.serving.port import House
from dataagent_core.mcp.serving.resources import add_resources
from dataagent_core.mcp.serving.served import SERVED, Served
from dataagent_core.mcp.serving.subscribing import add_subscribing
from dataagent_core.mcp.serving.tool import GuardedTool, served_tool

NAME: Final = "dataagent"
_INSTRUCTIONS: Final = (
    "DataAgent queries data sources and files. Look first (data_list_sources, data_search_catalog, "
    "data_describe), then ask with sql_query; rows are kept under a result id. ask_agent gives a "
    "whole question to DataAgent's own agent."
)


class ServedTools(Provider):
    """The tools a caller may use; what they are is read once, from the first bench that opens."""

    def __init__(self, house: House, served: Mapping[str, Served]) -> None:
        super().__init__()
        self._house = house
        self._served = served
        self._ask_agent = ask_agent_tool(house)
        self._tools: dict[str, GuardedTool] | None = None

    async def _list_tools(self) -> Sequence[Tool]:
        caller = await self._house.caller()
        return [tool for tool in (await self._known()).values() if tool.is_for(caller)]

    async def _get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:
        # Also one the caller may not use: it refuses with the reason, and is recorded as refused.
        return (await self._known()).get(name) if version is None else None

    async def get_tasks(self) -> Sequence[FastMCPComponent]:
        # Asked when the server starts, in nobody's name; calls of ours are never tasks.
        return []

    async def _known(self) -> dict[str, GuardedTool]:
        if self._tools is None:
            async with self._house.bench(await self._house.caller()) as bench:
                entries = bench.registry.entries
                tools: dict[str, GuardedTool] = {
                    name: served_tool(self._house, served, entries[name].tool)
                    for name, served in self._served.items()
                    if name in entries
                }
            known = {**tools, self._ask_agent.name: self._ask_agent}
            # Somebody may have fewer than others; that is not kept for everybody.
            if len(tools) < len(self._served):
                return known
            self._tools = known
        return self._tools


def build_server(
    house: House,
    *,
    served: Mapping[str, Served] = SERVED,
    state_keys: Sequence[bytes] | None = None,
) -> "FastMCP[Any]":
    """Build the server of a house.

    `state_keys` seal what a client carries between two rounds of a question; processes that serve
    one address must share them, the first seals.
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
        middleware=[Ledger(house)],
        providers=[ServedTools(house, served)],
        request_state_security=security,
        # Defects are logged; a client is not told what was in them.
        mask_error_details=True,
    )
    add_resources(server, house)
    add_subscribing(server, house)
    return server
