"""Builds our MCP server with FastMCP: tools by scope, resources, and the call ledger.

FastMCP reads its settings when it is first imported. Import this module before anything of
`fastmcp`: it keeps FastMCP from reading the `.env` of the current folder and from adding log
handlers.
"""

# isort: split
import logging
import os
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

_OURS: Final = {"FASTMCP_ENV_FILE": os.devnull, "FASTMCP_LOG_ENABLED": "false"}


def _imported() -> Any:
    before = {name: os.environ.get(name) for name in _OURS}
    os.environ.update(_OURS)
    try:
        from fastmcp import FastMCP

        return FastMCP
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


make_fastmcp: Final = _imported()


class _KnownWarnings(logging.Filter):
    """Lets defects through; what a client did wrong is in the record of its call."""

    def filter(self, record: logging.LogRecord) -> bool:
        from fastmcp.exceptions import FastMCPError
        from mcp.shared.exceptions import MCPError

        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, (FastMCPError, MCPError))


logging.getLogger("fastmcp.server.server").addFilter(_KnownWarnings())
NAME: Final = "dataagent"
_INSTRUCTIONS: Final = (
    "DataAgent queries data sources and files. Look first (data_list_sources, data_search_catalog, "
    "data_describe), then ask with sql_query; rows are kept under a result id. ask_agent gives a "
    "whole question to DataAgent's own agent."
)


class ServedTools(Provider):
    """The tools a caller may use; what they are is read once, from the first bench that opens."""

    def __init__(self, house: MCPServices, served: Mapping[str, ServedToolRow]) -> None:
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
                    name: make_served_tool(self._house, served, entries[name].tool)
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
    house: MCPServices,
    *,
    served: Mapping[str, ServedToolRow] = SERVED,
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
        middleware=[CallLedger(house)],
        providers=[ServedTools(house, served)],
        request_state_security=security,
        # Defects are logged; a client is not told what was in them.
        mask_error_details=True,
    )
    add_resources(server, house)
    add_subscriptions(server, house)
    return server
