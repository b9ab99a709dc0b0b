"""The MCP servers of an agent, and what they offer now.

The manager lists them all at once, for a limited time; a server that is late or down becomes a
sentence and goes on connecting (S0 48). Their tools become tools of the agent. While nothing
changes, the same `ServerOffers` with the same tools is returned.

What one server offers: its tools as the agent's, made again only when its list changed.
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
    """The tools of one server and what is wrong with it; the same object while both are."""

    tools: tuple[MCPTool, ...] = ()
    warnings: tuple[str, ...] = ()
    names: Mapping[str, ServerTool] = field(
        default_factory=lambda: MappingProxyType[str, ServerTool]({})
    )

    def same_as(self, other: "ServerOffer") -> bool:
        """Compare the tools as the objects they are: nobody may keep one that was replaced."""
        if self.warnings != other.warnings or len(self.tools) != len(other.tools):
            return False
        return all(a is b for a, b in zip(self.tools, other.tools, strict=True))


class ServerOfferBuilder:
    """Makes the offer of one server, and remembers it."""

    def __init__(self, home: MCPToolContext, tenant: str) -> None:
        self.home = home
        self._tenant = tenant
        self._made: dict[str, tuple[ToolOffer, MCPTool]] = {}
        self._listed: tuple[Tool, ...] = ()
        self._usual = self._last = ServerOffer()

    def offer(self, listed: "tuple[Tool, ...]", problem: str | None = None) -> ServerOffer:
        """Take the list as it is now; a tool that did not change stays the same object.

        `problem` is why the server cannot be reached although its tools are known. It blocks: the
        schemas of a large list take seconds to check, so the same list is not checked again.
        """
        if listed is not self._listed:
            self._usual, self._listed = self._checked(listed), listed
        usual = self._usual
        told = replace(usual, warnings=(problem, *usual.warnings)) if problem else usual
        return self._unless_same(told)

    def _checked(self, listed: "tuple[Tool, ...]") -> ServerOffer:
        warnings: list[str] = []
        made: dict[str, tuple[ToolOffer, MCPTool]] = {}
        names: dict[str, ServerTool] = {}
        for tool in listed[:MCP_SERVER_TOOLS_MAX]:
            try:
                offer = offer_of(self.home.connection.config, tool, self._tenant)
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
                else (offer, MCPTool(offer, self.home))
            )
            names[offer.name] = ServerTool(offer.server, offer.tool)
        if len(listed) > MCP_SERVER_TOOLS_MAX:
            warnings.append(f"it lists {len(listed)} tools; the first {MCP_SERVER_TOOLS_MAX} count")
        self._made = made
        return ServerOffer(
            tools=tuple(tool for _, tool in made.values()),
            warnings=self._sentences(warnings),
            names=MappingProxyType(names),
        )

    def missing(self, why: str) -> ServerOffer:
        """Offer nothing; its tools are remembered for when it is back."""
        return self._unless_same(ServerOffer(warnings=(why,)))

    def _unless_same(self, offer: ServerOffer) -> ServerOffer:
        if not offer.same_as(self._last):
            self._last = offer
        return self._last

    def _sentences(self, warnings: list[str]) -> tuple[str, ...]:
        name = self.home.connection.config.name
        shown = warnings[:MCP_WARNINGS_PER_SERVER_MAX]
        if len(warnings) > len(shown):
            shown.append(f"{len(warnings) - len(shown)} more tools have such problems")
        return tuple(f"MCP server {name!r}: {warning}." for warning in shown)


LOCAL_TENANT = "local"


class ServerConnections(Protocol):
    """What gives connections and lists their tools: the manager."""

    def connection(self, owner: Owner, config: MCPServerConfig) -> Connection: ...

    async def connect_user_servers(
        self, owner: Owner, config: MCPConfig, deadline_s: float
    ) -> ConnectResult: ...


@dataclass(frozen=True, slots=True, eq=False)
class ServerOffers:
    """The tools there are, what is wrong, and the way back from a name to its server's tool."""

    tools: Sequence[BaseTool] = ()
    warnings: Sequence[str] = ()
    names: Mapping[str, ServerTool] = field(
        default_factory=lambda: MappingProxyType[str, ServerTool]({})
    )


class AgentServers:
    """The servers of one agent, for one owner; `tenant` stands in the names of their tools."""

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
        # Whoever builds agents again and again hands in one for the process, or a call that waits
        # for an answer is not found again.
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
        self._making = asyncio.Lock()
        self._offers: tuple[ServerOffer, ...] = ()
        self._offered = ServerOffers()

    @property
    def names(self) -> tuple[str, ...]:
        """Name the servers that are used."""
        return tuple(self._servers)

    def content(self, server: str) -> ServerContent | None:
        """Give the resources and prompts of a server by its name."""
        found = self._servers.get(server)
        return None if found is None else ServerContent(found.home, self._tenant)

    async def offered(self) -> ServerOffers:
        """Ask the servers what they offer; it takes a bounded time and raises for none of them."""
        if not self._servers:
            return self._offered
        listed = await self._manager.connect_user_servers(self._owner, self._config, self._wait_s)
        async with self._making:
            # What servers say of their tools takes long to check, and the loop is everybody's.
            offers = await asyncio.to_thread(self._offers_of, listed)
        if offers != self._offers:
            self._offers = offers
            self._offered = _together(offers)
        return self._offered

    def _offers_of(self, listed: ConnectResult) -> tuple[ServerOffer, ...]:
        return tuple(_offer(name, server, listed) for name, server in self._servers.items())


def _offer(name: str, server: ServerOfferBuilder, listed: ConnectResult) -> ServerOffer:
    problem = listed.problems.get(name)
    tools = listed.tools.get(name)
    if tools is not None:
        return server.offer(tools, problem)
    reason = problem or f"the MCP server {name!r} did not list its tools"
    return server.missing(f"{reason.rstrip('.')}. Its tools are left out for now.")


def _together(offers: Sequence[ServerOffer]) -> ServerOffers:
    return ServerOffers(
        tools=tuple(tool for offer in offers for tool in offer.tools),
        warnings=tuple(warning for offer in offers for warning in offer.warnings),
        names=MappingProxyType({n: one for offer in offers for n, one in offer.names.items()}),
    )
