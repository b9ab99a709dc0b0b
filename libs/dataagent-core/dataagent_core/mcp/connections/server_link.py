"""The link to one server of one owner: opened on first use, kept, closed and opened again.

One owner task opens and closes each connection, because the SDK's cancel scopes belong to one task;
calls run in their callers' tasks on the session it opened. `live_server.py` is the connected
server, `server_health.py` decides when a failing one is tried again, `connection_limit.py` how many
connections there may be.
"""

import asyncio
import contextvars
import importlib
import math
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import anyio

from dataagent_core.config.limits.mcp import MCP_PROBE_S
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections.calls.server_call import ServerCall
from dataagent_core.mcp.connections.connection_key import ConnectionKey
from dataagent_core.mcp.connections.connection_limit import ConnectionLimit, ConnectionLimits
from dataagent_core.mcp.connections.listing_cache import ListingCache
from dataagent_core.mcp.connections.server_health import Backoff, ServerHealth
from dataagent_core.mcp.ports import OffersSampling, OpenTransport, RootsFor, ServerStatus

if TYPE_CHECKING:
    from mcp_types import Tool

    from dataagent_core.mcp.connections.live_server import LiveServer


@dataclass(slots=True, eq=False)
class ConnectAttempt:
    """One connection, from the attempt to open it until its process is gone.

    The owner task and the tasks that wait for it share this state.
    """

    # On the loop's clock.
    deadline_s: float
    task: "asyncio.Task[None] | None" = None
    # Cancels the opening; None before the owner task runs.
    scope: "anyio.CancelScope | None" = None
    live: "LiveServer | None" = None
    problem: MCPServerError | None = None
    # Why we closed it ourselves; empty if we did not.
    leave_reason: str = ""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def usable(self) -> "LiveServer | None":
        """The connection, while calls may still start on it."""
        live = self.live
        return None if live is None or live.is_gone or self.leave_reason else live

    def leave(self, why: str) -> None:
        """Ask the owner task to close the connection."""
        if self.leave_reason or self.finished.is_set():
            return
        self.leave_reason = why
        self.wake.set()
        if self.live is None and self.scope is not None:
            self.scope.cancel()


@dataclass(frozen=True, slots=True)
class LinkEnvironment:
    """What all links of a manager share."""

    open_transport: OpenTransport
    limits: ConnectionLimits
    listings: ListingCache
    connection_limit: ConnectionLimit
    backoff: Backoff
    roots_for: RootsFor
    offers_sampling: OffersSampling


def stop_error(server: str) -> MCPServerError:
    """Make the error of a process that is stopping."""
    return MCPServerError(server, "is not connected any more: DataAgent is stopping.")


class ServerLink:
    """One server, as one owner configured it."""

    def __init__(
        self, key: ConnectionKey, config: MCPServerConfig, environment: LinkEnvironment
    ) -> None:
        self.key = key
        self.config = config
        self.used_s = 0.0
        self._environment = environment
        self._attempt: ConnectAttempt | None = None
        self.health = ServerHealth(key.server, environment.backoff)
        self._is_superseded = False
        self._stopped = False
        # Tasks that wait for the connection.
        self._waiting = 0

    @property
    def live(self) -> "LiveServer | None":
        return None if self._attempt is None else self._attempt.usable

    @property
    def is_forgettable(self) -> bool:
        return self._attempt is None and not self._waiting

    @property
    def is_leaving(self) -> bool:
        return self._attempt is not None and bool(
            self._attempt.leave_reason
            or (self._attempt.live is not None and self._attempt.live.is_gone)
        )

    @property
    def is_idle(self) -> bool:
        live = self.live
        return live is not None and not live.calls and not self._waiting

    @property
    def status(self) -> ServerStatus:
        connecting = self._attempt is not None and not self.is_leaving
        ended = self._attempt.live if self._attempt is not None and self.is_leaving else None
        return self.health.status(
            self.live,
            len(self.listed or ()),
            connecting=connecting,
            # The connection just ended, and its owner task is still closing it.
            problem=None if ended is None else ended.problem,
        )

    @property
    def listed(self) -> "tuple[Tool, ...] | None":
        """The tools that are known without a request."""
        live = self.live
        return live.tools if live is not None else self._environment.listings.get_cached(self.key)

    async def open(self, *, insist: bool = False) -> "LiveServer":
        """Return the connection, opened if necessary; `insist` tries although it failed before."""
        with self._count_waiting():
            while (live := self.live) is None:
                if self._attempt is None:
                    if self._stopped:
                        raise stop_error(self.key.server)
                    if not insist:
                        self.health.check()
                    self._attempt = self._start_attempt()
                await self._wait_for_attempt(self._attempt)
            return live

    @contextmanager
    def _count_waiting(self) -> Generator[None]:
        """Keep this link registered: there must never be two links of one key."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def _wait_for_attempt(self, attempt: ConnectAttempt) -> None:
        """Wait until the attempt is open or closed; raises its problem."""
        is_leaving = self.is_leaving
        try:
            async with asyncio.timeout_at(attempt.deadline_s if not is_leaving else None):
                await (attempt.finished if is_leaving else attempt.settled).wait()
        except TimeoutError:
            raise self._timeout_error() from None
        if attempt.live is None and attempt.problem is not None and not is_leaving:
            raise attempt.problem.with_traceback(None)

    def _timeout_error(self) -> MCPServerError:
        return MCPServerError(
            self.key.server,
            f"did not connect within {self.config.timeout} s. Is it the right command or address?"
            " A slow one needs a larger `timeout`.",
        )

    def leave(self, why: str) -> None:
        if self._attempt is not None:
            self._attempt.leave(why)

    def stop(self) -> None:
        self._stopped = True
        self.leave("DataAgent is stopping")

    @property
    def is_superseded(self) -> bool:
        """Whether the owner has another configuration now: closed when its calls have ended."""
        return self._is_superseded

    @is_superseded.setter
    def is_superseded(self, is_superseded: bool) -> None:
        self._is_superseded = is_superseded
        self.touch()

    def touch(self) -> None:
        """Wake the owner task, which checks whether the connection is still needed."""
        if self._attempt is not None:
            self._attempt.wake.set()

    @property
    def owner_task(self) -> "asyncio.Task[None] | None":
        """The task that ends when the current connection is closed."""
        return None if self._attempt is None else self._attempt.task

    async def tools(self, *, fresh: bool) -> "tuple[Tool, ...]":
        """Return the tools, cached unless `fresh`."""
        if self.live is None and not fresh:
            with self._count_waiting():
                known = await self._environment.listings.find(self.key)
            if known is not None:
                return known
        was_open = self.live is not None
        live = await self.open(insist=fresh)
        with self.using(live, ServerCall()):
            await live.refresh_tools(self.config.timeout, only_if_stale=not (fresh and was_open))
        return live.tools

    @contextmanager
    def using(self, live: "LiveServer", call: ServerCall) -> Generator[None]:
        """Register a call, so that the connection is not closed as idle."""
        calls_max = self._environment.limits.calls_per_connection
        if len(live.calls) >= calls_max:
            raise MCPServerError(
                self.key.server,
                f"has {calls_max} calls under way, which is as many as one connection may have"
                " (calls_per_connection). Wait until one of them ends.",
            )
        live.calls.add(call)
        try:
            yield
        finally:
            live.calls.discard(call)
            call.close()
            self.used_s = asyncio.get_running_loop().time()
            self.touch()

    async def check_health(self) -> ServerStatus:
        live = self.live
        if live is not None and not await live.answers(MCP_PROBE_S):
            detail = f"It does not answer within {MCP_PROBE_S:g} s."
            return replace(self.status, state="error", detail=detail)
        return self.status

    async def probe(self, live: "LiveServer") -> None:
        """After an unanswered call: probe the server, and end the connection if it is silent."""
        if not await live.answers(MCP_PROBE_S) and not live.calls:
            live.end(MCPServerError(self.key.server, "does not answer any more."))

    def _start_attempt(self) -> ConnectAttempt:
        loop = asyncio.get_running_loop()
        attempt = ConnectAttempt(loop.time() + self.config.timeout)
        # In a context of its own: it outlives the run that needed it first.
        attempt.task = loop.create_task(
            self._run_owner_task(attempt),
            name=f"mcp {self.key.server}",
            context=contextvars.Context(),
        )
        return attempt

    async def _run_owner_task(self, attempt: ConnectAttempt) -> None:
        """Run the owner task, which opens and closes the connection."""
        problem: MCPServerError | None = None
        try:
            with anyio.CancelScope(deadline=attempt.deadline_s) as scope:
                attempt.scope = scope
                await self._open_and_keep(attempt, scope)
            if scope.cancelled_caught and not attempt.leave_reason:
                problem = self._timeout_error()
        except Exception as error:  # noqa: BLE001 (whatever a server makes its transport raise is that server's failure)
            problem = self._to_server_error(error)
        finally:
            self._finish(attempt, problem)

    async def _open_and_keep(self, attempt: ConnectAttempt, scope: anyio.CancelScope) -> None:
        if attempt.leave_reason:
            return
        # The SDK's import takes most of a second and must not block the loop.
        module = await asyncio.to_thread(importlib.import_module, f"{__package__}.live_server")
        environment = self._environment
        async with environment.connection_limit.acquire(self):
            roots = await environment.roots_for(self.key.owner, self.config)
            transport = environment.open_transport(self.key.owner, self.config)
            async with module.open_live_server(
                transport,
                self.key,
                environment.listings,
                attempt.wake.set,
                legacy=self.health.legacy,
                roots=roots,
                offers_sampling=environment.offers_sampling(self.key.owner, self.config),
            ) as live:
                scope.deadline = math.inf
                self._set_connected(attempt, live)
                await self._wait_until_unused(attempt)

    def _set_connected(self, attempt: ConnectAttempt, live: "LiveServer") -> None:
        attempt.live = live
        self.health.record_connected(live)
        self.used_s = asyncio.get_running_loop().time()
        attempt.settled.set()

    async def _wait_until_unused(self, attempt: ConnectAttempt) -> None:
        loop = asyncio.get_running_loop()
        idle_s = self._environment.limits.idle_s
        while attempt.usable is not None:
            if not self.is_idle:
                wait_s = idle_s
            elif self._is_superseded:
                attempt.leave("its configuration was changed")
                break
            else:
                wait_s = self.used_s + idle_s - loop.time()
            if wait_s <= 0:
                attempt.leave("nobody used it")
                break
            with anyio.move_on_after(wait_s):
                await attempt.wake.wait()
            attempt.wake.clear()

    def _to_server_error(self, error: Exception) -> MCPServerError:
        if isinstance(error, MCPServerError):
            return error
        from dataagent_core.mcp.transports.problems import problem_of

        return problem_of(error, self.key.server)

    def _finish(self, attempt: ConnectAttempt, problem: MCPServerError | None) -> None:
        """Record why the attempt ended, and allow the next one."""
        live = attempt.live
        if live is not None:
            live.is_gone = True
            problem = live.problem or problem
        if attempt.leave_reason:
            problem = MCPServerError(self.key.server, f"was disconnected: {attempt.leave_reason}.")
        else:
            problem = problem or MCPServerError(self.key.server, "closed the connection.")
            (self.health.record_failure if live is None else self.health.record_loss)(problem)
        attempt.problem = problem
        if live is not None:
            live.problem = problem
            live.over.set()
        self._is_superseded = False
        self._attempt = None
        attempt.settled.set()
        attempt.finished.set()
