"""`MCPConnectionManager`: the servers of all owners, connected on demand (S0 phase 8).

It composes `server_link.py` (one connection), `connection_limit.py` (how many) and
`listing_cache.py` (tools known without a connection). `ConnectionHolds` counts who works for an
owner (S0-50): when the last one ends, the owner's connections are closed after a while in which the
next session may start.
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
    """Tools and problems by the server's name; a server may have cached tools and a problem."""

    tools: "Mapping[str, tuple[Tool, ...]]"
    problems: Mapping[str, str]


Disconnect = Callable[[Owner], Awaitable[None]]


class ConnectionHolds:
    """Counts the holders of each owner."""

    def __init__(self, disconnect: Disconnect, linger_s: float) -> None:
        self._disconnect = disconnect
        self._linger_s = linger_s
        self._holders: dict[Owner, int] = {}
        self._closing_tasks: dict[Owner, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def hold(self, owner: Owner) -> AsyncGenerator[None]:
        self.acquire(owner)
        try:
            yield
        finally:
            self.release(owner)

    def acquire(self, owner: Owner) -> None:
        self._holders[owner] = self._holders.get(owner, 0) + 1
        closing = self._closing_tasks.pop(owner, None)
        if closing is not None:
            closing.cancel()

    def release(self, owner: Owner) -> None:
        left = self._holders.pop(owner) - 1
        if left:
            self._holders[owner] = left
            return
        closing = asyncio.get_running_loop().create_task(self._disconnect_later(owner))
        self._closing_tasks[owner] = closing

    async def _disconnect_later(self, owner: Owner) -> None:
        await asyncio.sleep(self._linger_s)
        # From here on a new holder does not stop it: a closed connection is opened again on demand.
        self._closing_tasks.pop(owner, None)
        await self._disconnect(owner)

    async def stop(self) -> None:
        closing_tasks = list(self._closing_tasks.values())
        self._closing_tasks.clear()
        for closing in closing_tasks:
            closing.cancel()
        await asyncio.gather(*closing_tasks, return_exceptions=True)


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
        self._links = ServerLinks(
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
        self._links.supersede(key)
        return ServerConnection(key, config, self._links)

    def status(self, owner: Owner, config: MCPServerConfig) -> ServerStatus:
        """Say how a server is as it is known; starts nothing and closes nothing."""
        return self._links.status(key_of(owner, config))

    def owners(self, tenant_id: str) -> set[Owner]:
        """Return the owners of a tenant who have used a server here."""
        return {owner for owner in self._links.owners() if owner.tenant_id == tenant_id}

    async def connect_user_servers(
        self, owner: Owner, config: MCPConfig, deadline_s: float = MCP_LISTING_WAIT_S
    ) -> ConnectResult:
        """List the tools of all servers concurrently; one that is down or late is a problem.

        A late server goes on connecting and is there the next time.
        """
        enabled = [server for server in config.servers if not server.disabled]
        used, left_out = (
            enabled[: self._limits.servers_per_user],
            enabled[self._limits.servers_per_user :],
        )
        reason = (
            f"is left out: at most {self._limits.servers_per_user} are used at once. Disable one"
            " of the others."
        )
        problems = {server.name: str(MCPServerError(server.name, reason)) for server in left_out}
        disabled = {server.name for server in config.servers if server.disabled}
        for link in self._links.of_owner(owner):
            if link.key.server in disabled:
                link.is_superseded = True
        connections = [self.connection(owner, server) for server in used]
        tools: dict[str, tuple[Tool, ...]] = {}
        tasks = {asyncio.ensure_future(one.tools()): one for one in connections}
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=deadline_s)
        finally:
            # Only the wait ends: the owner tasks go on connecting.
            late = {task for task in tasks if task.cancel()}
        for task, one in tasks.items():
            name = one.config.name
            known, problem = (
                (None, _late_error(name, deadline_s)) if task in late else _read_result(task, one)
            )
            if known is not None:
                tools[name] = known
            if problem is not None:
                problems[name] = str(problem)
        for name, problem in problems.items():
            logger.warning("MCP server %r of %s: %s", name, owner, problem)
        return ConnectResult(tools, problems)

    async def get_user_tools(self, owner: Owner) -> "dict[str, tuple[Tool, ...]]":
        """Return the known tools of the owner's servers, without a request."""
        found = {link.key.server: link.listed for link in self._links.of_owner(owner)}
        return {server: tools for server, tools in found.items() if tools is not None}

    async def health_check(self, owner: Owner) -> dict[str, ServerStatus]:
        """Probe each connected server; starts none."""
        links = self._links.of_owner(owner)
        statuses = await asyncio.gather(*(link.check_health() for link in links))
        return {link.key.server: status for link, status in zip(links, statuses, strict=True)}

    async def disconnect_user(self, owner: Owner) -> None:
        """Close all connections of an owner, with their calls."""
        await self._links.close(self._links.of_owner(owner), "the session ended")

    async def disconnect_server(self, owner: Owner, server: str) -> None:
        """Close one server in all its configurations, for instance after it was deleted."""
        links = [one for one in self._links.of_owner(owner) if one.key.server == server]
        await self._links.close(links, "it was removed")

    def hold(self, owner: Owner) -> AbstractAsyncContextManager[None]:
        """Hold the owner's connections open; after the last hold ends they are closed."""
        return self._holds.hold(owner)

    async def aclose(self) -> None:
        """Close everything; returns when every process is gone."""
        await self._holds.stop()
        await self._links.stop()


def _read_result(
    task: "asyncio.Future[tuple[Tool, ...]]", one: ServerConnection
) -> "tuple[tuple[Tool, ...] | None, DataAgentError | None]":
    """Return the tools and the problem of a server; both if its tools are cached."""
    name = one.config.name
    try:
        tools = task.result()
    except DataAgentError as error:
        return None, error
    except Exception as error:
        # A defect of ours, which is logged; the other servers' tools are returned.
        logger.exception("the MCP server %r could not be asked", name)
        return None, MCPServerError(name, f"could not be asked: {error}")
    if one.status.state in ("error", "needs_auth"):
        return tools, MCPServerError(name, f"is down: {one.status.detail}")
    if one.status.detail:
        return tools, MCPServerError(name, f"lists its tools, but: {one.status.detail}")
    return tools, None


def _late_error(name: str, deadline_s: float) -> MCPServerError:
    return MCPServerError(
        name,
        f"is still connecting after {deadline_s:g} s; its tools come as soon as it is there.",
    )
