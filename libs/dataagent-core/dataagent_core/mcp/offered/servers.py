"""The MCP servers of an agent, and what they offer just now.

Nothing here connects: asking a connection for its tools does. Every server is asked at once, for a
limited time; one that is late or down is left out with a sentence, and goes on connecting for the
next time (S0 48). As long as nothing changed, the same `Offered` with the same tools is returned.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from langchain_core.tools import BaseTool

from dataagent_core.config.mcp_limits import MCP_LISTING_WAIT_S
from dataagent_core.errors import DataAgentError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.naming import ServerTool
from dataagent_core.mcp.offered.held import HeldCalls
from dataagent_core.mcp.offered.home import SignInPage, ToolHome
from dataagent_core.mcp.offered.one_server import OneServer, ServerOffer
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import Connection
from dataagent_core.sandbox.safe_open import SafeRoot

if TYPE_CHECKING:
    from mcp_types import Tool

LOCAL_TENANT = "local"


class Connections(Protocol):
    """What gives connections: the manager."""

    def connection(self, owner: Owner, config: MCPServerConfig) -> Connection: ...


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
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
        manager: Connections,
        owner: Owner,
        config: MCPConfig,
        *,
        tenant: str = LOCAL_TENANT,
        files: SafeRoot | None = None,
        held: HeldCalls | None = None,
        sign_in_page: SignInPage | None = None,
        wait_s: float = MCP_LISTING_WAIT_S,
    ) -> None:
        self._wait_s = wait_s
        # Whoever builds agents again and again hands in one for the process, or a call that waits
        # for an answer is not found again.
        self.held = held or HeldCalls()
        self._servers = {
            one.name: OneServer(
                ToolHome(
                    owner=owner,
                    connection=manager.connection(owner, one),
                    held=self.held,
                    files=files,
                    sign_in_page=sign_in_page,
                ),
                tenant,
            )
            for one in config.servers
            if not one.disabled
        }
        self._listings: dict[str, asyncio.Task[tuple[Tool, ...]]] = {}
        self._offers: tuple[ServerOffer, ...] = ()
        self._offered = Offered()

    async def offered(self) -> Offered:
        """Ask the servers what they offer; it takes a bounded time and raises for none of them."""
        tasks = {name: self._listing(name) for name in self._servers}
        if tasks:
            await asyncio.wait(tasks.values(), timeout=self._wait_s)
        offers = tuple(self._offer(name, task) for name, task in tasks.items())
        if offers != self._offers:
            self._offers = offers
            self._offered = _together(offers)
        return self._offered

    async def aclose(self) -> None:
        """Stop waiting for servers that never answered; connections are the manager's."""
        tasks, self._listings = [*self._listings.values()], {}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _listing(self, name: str) -> "asyncio.Task[tuple[Tool, ...]]":
        # One that is still under way is waited for again, not begun twice.
        if name not in self._listings:
            connection = self._servers[name].home.connection
            self._listings[name] = asyncio.create_task(connection.tools())
        return self._listings[name]

    def _offer(self, name: str, task: "asyncio.Task[tuple[Tool, ...]]") -> ServerOffer:
        server = self._servers[name]
        if not task.done():
            return server.missing(
                f"the MCP server {name!r} did not answer within {self._wait_s:.0f} s; its tools "
                "are left out for now, and it goes on connecting."
            )
        del self._listings[name]
        if task.cancelled():
            return server.missing(f"the MCP server {name!r} was closed while it was asked.")
        error = task.exception()
        if error is None:
            return server.offer(task.result())
        # Whatever a server or its transport does wrong, the run goes on without its tools.
        reason = (
            str(error) if isinstance(error, DataAgentError) else f"{type(error).__name__}: {error}"
        )
        return server.missing(f"{reason.rstrip('.')}. Its tools are left out.")


def _together(offers: Sequence[ServerOffer]) -> Offered:
    return Offered(
        tools=tuple(tool for offer in offers for tool in offer.tools),
        warnings=tuple(warning for offer in offers for warning in offer.warnings),
        names=MappingProxyType({n: one for offer in offers for n, one in offer.names.items()}),
    )
