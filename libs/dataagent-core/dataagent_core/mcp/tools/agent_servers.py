"""The MCP servers of an agent, and what they offer now.

The manager lists them all at once, for a limited time; a server that is late or down becomes a
sentence and goes on connecting (S0 48). Their tools become tools of the agent. While nothing
changes, the same `ServerOffers` with the same tools is returned.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from langchain_core.tools import BaseTool

from dataagent_core.config.limits.mcp import MCP_LISTING_WAIT_S
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import ConnectResult
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import Connection
from dataagent_core.mcp.tool_names import ServerTool
from dataagent_core.mcp.tools.content import ServerContent
from dataagent_core.mcp.tools.held_calls import HeldCalls
from dataagent_core.mcp.tools.sampling import SamplingHandler
from dataagent_core.mcp.tools.server_offer import ServerOffer, ServerOfferBuilder
from dataagent_core.mcp.tools.tool_context import MCPToolContext, SignInPage
from dataagent_core.sandbox.files.safe_root import SafeRoot

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
