"""The MCP servers of an agent, and what they offer now.

The manager lists them all at once, for a limited time; a server that is late or down becomes a
warning and goes on connecting (S0 48). Their tools become tools of the agent, built again only when
a server's list changed. While nothing changes, the same `ServerOffers` with the same tools is
returned.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from langchain_core.tools import BaseTool

from dataagent_core.config.limits.mcp import (
    MCP_LISTING_WAIT_S,
    MCP_SERVER_TOOLS_MAX,
    MCP_WARNINGS_PER_SERVER_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import ConnectResult
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import Connection
from dataagent_core.mcp.tool_names import ServerTool
from dataagent_core.mcp.tools.content import ServerContent
from dataagent_core.mcp.tools.held_calls import HeldCalls
from dataagent_core.mcp.tools.offer import ToolOffer, offer_of
from dataagent_core.mcp.tools.sampling import SamplingHandler
from dataagent_core.mcp.tools.tool import MCPTool
from dataagent_core.mcp.tools.tool_context import MCPToolContext, SignInPage
from dataagent_core.sandbox.files.safe_root import SafeRoot

if TYPE_CHECKING:
    from mcp_types import Tool


@dataclass(frozen=True, slots=True, eq=False)
class ServerOffer:
    """The tools and warnings of one server; the same object while both stay the same."""

    tools: tuple[MCPTool, ...] = ()
    warnings: tuple[str, ...] = ()
    names: Mapping[str, ServerTool] = field(
        default_factory=lambda: MappingProxyType[str, ServerTool]({})
    )

    def is_same_as(self, other: "ServerOffer") -> bool:
        """Compare the tools by identity: a replaced tool must not be kept."""
        if self.warnings != other.warnings or len(self.tools) != len(other.tools):
            return False
        return all(a is b for a, b in zip(self.tools, other.tools, strict=True))


class ServerOfferBuilder:
    """Builds the offer of one server, and keeps the last one."""

    def __init__(self, tool_context: MCPToolContext, tenant: str) -> None:
        self.tool_context = tool_context
        self._tenant = tenant
        self._made: dict[str, tuple[ToolOffer, MCPTool]] = {}
        self._listed: tuple[Tool, ...] = ()
        self._without_problem = self._last = ServerOffer()

    def offer(self, listed: "tuple[Tool, ...]", problem: str | None = None) -> ServerOffer:
        """Build the offer of a list; a tool that did not change stays the same object.

        `problem` is why the server cannot be reached although its tools are known. Blocks: the
        schemas of a large list take seconds to check, so the same list is not checked again.
        """
        if listed is not self._listed:
            self._without_problem, self._listed = self._build_tools(listed), listed
        without_problem = self._without_problem
        if not problem:
            return self._reuse_last(without_problem)
        warnings = (problem, *without_problem.warnings)
        return self._reuse_last(replace(without_problem, warnings=warnings))

    def _build_tools(self, listed: "tuple[Tool, ...]") -> ServerOffer:
        warnings: list[str] = []
        made: dict[str, tuple[ToolOffer, MCPTool]] = {}
        names: dict[str, ServerTool] = {}
        for tool in listed[:MCP_SERVER_TOOLS_MAX]:
            try:
                offer = offer_of(self.tool_context.connection.config, tool, self._tenant)
            except ValidationError as wrong:
                warnings.append(f"the tool {tool.name!r:.100} is left out: {wrong}")
                continue
            if offer.name in made:
                warnings.append(f"a second tool {tool.name!r:.100} is left out")
                continue
            known = self._made.get(offer.name)
            made[offer.name] = (
                known
                if known is not None and known[0] == offer
                else (offer, MCPTool(offer, self.tool_context))
            )
            names[offer.name] = ServerTool(offer.server, offer.tool)
        if len(listed) > MCP_SERVER_TOOLS_MAX:
            warnings.append(f"it lists {len(listed)} tools; the first {MCP_SERVER_TOOLS_MAX} count")
        self._made = made
        return ServerOffer(
            tools=tuple(tool for _, tool in made.values()),
            warnings=self._render_warnings(warnings),
            names=MappingProxyType(names),
        )

    def offer_nothing(self, why: str) -> ServerOffer:
        """Offer nothing; the tools are kept for when the server is back."""
        return self._reuse_last(ServerOffer(warnings=(why,)))

    def _reuse_last(self, offer: ServerOffer) -> ServerOffer:
        if not offer.is_same_as(self._last):
            self._last = offer
        return self._last

    def _render_warnings(self, warnings: list[str]) -> tuple[str, ...]:
        name = self.tool_context.connection.config.name
        shown = warnings[:MCP_WARNINGS_PER_SERVER_MAX]
        if len(warnings) > len(shown):
            shown.append(f"{len(warnings) - len(shown)} more tools have such problems")
        return tuple(f"MCP server {name!r}: {warning}." for warning in shown)


LOCAL_TENANT = "local"


class ServerConnections(Protocol):
    """The manager, which opens connections and lists their tools."""

    def connection(self, owner: Owner, config: MCPServerConfig) -> Connection: ...

    async def connect_user_servers(
        self, owner: Owner, config: MCPConfig, deadline_s: float
    ) -> ConnectResult: ...


@dataclass(frozen=True, slots=True, eq=False)
class ServerOffers:
    """The tools and warnings of all servers, and the server's tool for each name."""

    tools: Sequence[BaseTool] = ()
    warnings: Sequence[str] = ()
    names: Mapping[str, ServerTool] = field(
        default_factory=lambda: MappingProxyType[str, ServerTool]({})
    )


class AgentServers:
    """The servers of one agent, for one owner; `tenant` is part of the names of their tools."""

    def __init__(
        self,
        manager: ServerConnections,
        owner: Owner,
        config: MCPConfig,
        *,
        tenant: str = LOCAL_TENANT,
        files: SafeRoot | None = None,
        held: HeldCalls | None = None,
        sign_in_page: SignInPage | None = None,
        sampling: SamplingHandler | None = None,
        wait_s: float = MCP_LISTING_WAIT_S,
    ) -> None:
        self._wait_s = wait_s
        self._manager = manager
        self._owner = owner
        self._tenant = tenant
        self._config = config
        # A host that builds agents repeatedly passes one for the process; otherwise a call that
        # waits for an answer is not found again.
        self.held = held or HeldCalls()
        self._servers = {
            one.name: ServerOfferBuilder(
                MCPToolContext(
                    owner=owner,
                    connection=manager.connection(owner, one),
                    held=self.held,
                    files=files,
                    sign_in_page=sign_in_page,
                    sampling=sampling,
                ),
                tenant,
            )
            for one in config.servers
            if not one.disabled
        }
        self._build_lock = asyncio.Lock()
        self._offers: tuple[ServerOffer, ...] = ()
        self._offered = ServerOffers()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._servers)

    def content(self, server: str) -> ServerContent | None:
        """Return the resources and prompts of a server by its name."""
        found = self._servers.get(server)
        return None if found is None else ServerContent(found.tool_context, self._tenant)

    async def list_offers(self) -> ServerOffers:
        """Ask the servers for their offers, in bounded time; a failing server raises nothing."""
        if not self._servers:
            return self._offered
        listed = await self._manager.connect_user_servers(self._owner, self._config, self._wait_s)
        async with self._build_lock:
            # Checking the schemas takes long and would block the loop.
            offers = await asyncio.to_thread(self._build_offers, listed)
        if offers != self._offers:
            self._offers = offers
            self._offered = _merge_offers(offers)
        return self._offered

    def _build_offers(self, listed: ConnectResult) -> tuple[ServerOffer, ...]:
        return tuple(_build_offer(name, server, listed) for name, server in self._servers.items())


def _build_offer(name: str, server: ServerOfferBuilder, listed: ConnectResult) -> ServerOffer:
    problem = listed.problems.get(name)
    tools = listed.tools.get(name)
    if tools is not None:
        return server.offer(tools, problem)
    reason = problem or f"the MCP server {name!r} did not list its tools"
    return server.offer_nothing(f"{reason.rstrip('.')}. Its tools are left out for now.")


def _merge_offers(offers: Sequence[ServerOffer]) -> ServerOffers:
    return ServerOffers(
        tools=tuple(tool for offer in offers for tool in offer.tools),
        warnings=tuple(warning for offer in offers for warning in offer.warnings),
        names=MappingProxyType({n: one for offer in offers for n, one in offer.names.items()}),
    )
