"""`MCPConnectionManager`: every person's servers, connected when needed and no longer (S0 phase 8).

Here the parts meet; each is explained where it is: `server_link.py` (one connection),
`connection_limit.py` (how many), `manager.py` (how long),
`mcp/connections/listing_cache.py` (what is known without a connection).

Who still needs a person's connections (S0-50).

Whoever works for a person holds on to them; when the last one lets go, their connections are
closed after a while in which the next session may begin.

What came of connecting a person's servers: some tools, and some sentences.
"""

import asyncio
import logging
import random as chance
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_core.config.limits.mcp import MCP_LISTING_WAIT_S
from dataagent_core.errors import DataAgentError, MCPServerError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections.connection import ServerConnection
from dataagent_core.mcp.connections.connection_key import key_of
from dataagent_core.mcp.connections.connection_limit import ConnectionLimit, ConnectionLimits
from dataagent_core.mcp.connections.listing_cache import ListingCache
from dataagent_core.mcp.connections.server_health import Backoff
from dataagent_core.mcp.connections.server_link import LinkEnvironment
from dataagent_core.mcp.connections.server_links import ServerLinks
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import (
    OffersSampling,
    OpenTransport,
    RootsFor,
    ServerStatus,
    no_sampling,
)
from dataagent_core.mcp.roots import no_roots

if TYPE_CHECKING:
    from mcp_types import Tool


@dataclass(frozen=True, slots=True)
class ConnectResult:
    """Both by the server's name; a server may have tools from before and a problem now."""

    tools: "Mapping[str, tuple[Tool, ...]]"
    problems: Mapping[str, str]


Disconnect = Callable[[Owner], Awaitable[None]]


class ConnectionHolds:
    """Counts the holders of each owner."""

    def __init__(self, disconnect: Disconnect, linger_s: float) -> None:
        self._disconnect = disconnect
        self._linger_s = linger_s
        self._holders: dict[Owner, int] = {}
        self._partings: dict[Owner, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def hold(self, owner: Owner) -> AsyncGenerator[None]:
        self.acquire(owner)
        try:
            yield
        finally:
            self.release(owner)

    def acquire(self, owner: Owner) -> None:
        self._holders[owner] = self._holders.get(owner, 0) + 1
        parting = self._partings.pop(owner, None)
        if parting is not None:
            parting.cancel()

    def release(self, owner: Owner) -> None:
        left = self._holders.pop(owner) - 1
        if left:
            self._holders[owner] = left
            return
        parting = asyncio.get_running_loop().create_task(self._part(owner))
        self._partings[owner] = parting

    async def _part(self, owner: Owner) -> None:
        await asyncio.sleep(self._linger_s)
        # From here on a new holder does not stop it: what it closes is opened again when needed.
        self._partings.pop(owner, None)
        await self._disconnect(owner)

    async def stop(self) -> None:
        partings = list(self._partings.values())
        self._partings.clear()
        for parting in partings:
            parting.cancel()
        await asyncio.gather(*partings, return_exceptions=True)


logger = logging.getLogger(__name__)
_DEFAULTS = ConnectionLimits()


class MCPConnectionManager:
    """All connections of this process; belongs to the loop it is used on."""

    def __init__(
        self,
        open_transport: OpenTransport,
        limits: ConnectionLimits = _DEFAULTS,
        *,
        listings_folder: Path | None = None,
        roots_for: RootsFor = no_roots,
        offers_sampling: OffersSampling = no_sampling,
        now_s: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = chance.random,
    ) -> None:
        self._limits = limits
        self._lines = ServerLinks(
            LinkEnvironment(
                open_transport,
                limits,
                ListingCache(listings_folder),
                ConnectionLimit(limits),
                Backoff(limits, now_s, random),
                roots_for,
                offers_sampling,
            )
        )
        self._holds = ConnectionHolds(self.disconnect_user, limits.linger_s)

    def connection(self, owner: Owner, config: MCPServerConfig) -> ServerConnection:
        """Name a server; nothing is started. Another configuration of it is closed when idle."""
        key = key_of(owner, config)
        self._lines.supersede(key)
        return ServerConnection(key, config, self._lines)

    def status(self, owner: Owner, config: MCPServerConfig) -> ServerStatus:
        """Say how a server is as it is known; starts nothing and closes nothing."""
        return self._lines.status(key_of(owner, config))

    def owners(self, tenant_id: str) -> set[Owner]:
        """Name those of a tenant who have used a server here."""
        return {owner for owner in self._lines.owners() if owner.tenant_id == tenant_id}

    async def connect_user_servers(
        self, owner: Owner, config: MCPConfig, deadline_s: float = MCP_LISTING_WAIT_S
    ) -> ConnectResult:
        """List the tools of all servers side by side; what is down or late is only a sentence.

        What is late goes on connecting, and is there the next time.
        """
        enabled = [server for server in config.servers if not server.disabled]
        taken, beyond = (
            enabled[: self._limits.servers_per_user],
            enabled[self._limits.servers_per_user :],
        )
        full = (
            f"is left out: at most {self._limits.servers_per_user} are used at once. Disable one"
            " of the others."
        )
        problems = {server.name: str(MCPServerError(server.name, full)) for server in beyond}
        off = {server.name for server in config.servers if server.disabled}
        for line in self._lines.of_owner(owner):
            if line.key.server in off:
                line.superseded = True
        connections = [self.connection(owner, server) for server in taken]
        tools: dict[str, tuple[Tool, ...]] = {}
        asked = {asyncio.ensure_future(one.tools()): one for one in connections}
        try:
            if asked:
                await asyncio.wait(asked, timeout=deadline_s)
        finally:
            # Only the waiting ends: connecting is the owner tasks' work.
            late = {task for task in asked if task.cancel()}
        for task, one in asked.items():
            name = one.config.name
            known, problem = (None, _late(name, deadline_s)) if task in late else _told(task, one)
            if known is not None:
                tools[name] = known
            if problem is not None:
                problems[name] = str(problem)
        for name, problem in problems.items():
            logger.warning("MCP server %r of %s: %s", name, owner, problem)
        return ConnectResult(tools, problems)

    async def get_user_tools(self, owner: Owner) -> "dict[str, tuple[Tool, ...]]":
        """Tell what is known of the servers this person uses, without asking them."""
        found = {line.key.server: line.listed for line in self._lines.of_owner(owner)}
        return {server: tools for server, tools in found.items() if tools is not None}

    async def health_check(self, owner: Owner) -> dict[str, ServerStatus]:
        """Ask each connected server whether it is there; starts none."""
        lines = self._lines.of_owner(owner)
        statuses = await asyncio.gather(*(line.health() for line in lines))
        return {line.key.server: status for line, status in zip(lines, statuses, strict=True)}

    async def disconnect_user(self, owner: Owner) -> None:
        """Close everything this person has open, calls included."""
        await self._lines.close(self._lines.of_owner(owner), "the session ended")

    async def disconnect_server(self, owner: Owner, server: str) -> None:
        """Close one server in all its configurations, for instance since it was deleted."""
        lines = [one for one in self._lines.of_owner(owner) if one.key.server == server]
        await self._lines.close(lines, "it was removed")

    def hold(self, owner: Owner) -> AbstractAsyncContextManager[None]:
        """Say that somebody works for this person; when the last one left, all is closed."""
        return self._holds.hold(owner)

    async def aclose(self) -> None:
        """Close everything; returns when every process is gone."""
        await self._holds.stop()
        await self._lines.stop()


def _told(
    task: "asyncio.Future[tuple[Tool, ...]]", one: ServerConnection
) -> "tuple[tuple[Tool, ...] | None, DataAgentError | None]":
    """Give what a server listed, and what is wrong; both where its tools are known from before."""
    name = one.config.name
    try:
        tools = task.result()
    except DataAgentError as error:
        return None, error
    except Exception as error:
        # A defect of ours, to be seen in the log; the others' tools are there all the same.
        logger.exception("the MCP server %r could not be asked", name)
        return None, MCPServerError(name, f"could not be asked: {error}")
    if one.status.state in ("error", "needs_auth"):
        return tools, MCPServerError(name, f"is down: {one.status.detail}")
    if one.status.detail:
        return tools, MCPServerError(name, f"lists its tools, but: {one.status.detail}")
    return tools, None


def _late(name: str, deadline_s: float) -> MCPServerError:
    return MCPServerError(
        name,
        f"is still connecting after {deadline_s:g} s; its tools come as soon as it is there.",
    )
