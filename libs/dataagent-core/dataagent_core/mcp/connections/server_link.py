"""The line to one server of one owner: opened on first use, kept, closed and opened again.

One owner task opens and closes each connection, because the SDK's cancel scopes belong to one task;
calls run in their callers' tasks on the session it opened. What a connected server can do is
`live_server.py`'s, how often a failing one is tried `server_health.py`'s, how many there may be
`connection_limit.py`'s.

One life of a connection: from the try to open it until its process is gone.
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
    """What an owner task and those who wait for it tell each other."""

    # On the loop's clock.
    deadline_s: float
    task: "asyncio.Task[None] | None" = None
    # What ends the opening early; None before the owner task runs.
    scope: "anyio.CancelScope | None" = None
    live: "LiveServer | None" = None
    problem: MCPServerError | None = None
    # Why we ourselves ended it.
    leaving: str = ""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def usable(self) -> "LiveServer | None":
        """The connection, while calls may still begin on it."""
        live = self.live
        return None if live is None or live.gone or self.leaving else live

    def leave(self, why: str) -> None:
        """Ask the owner task to close; it does so in its own time."""
        if self.leaving or self.finished.is_set():
            return
        self.leaving = why
        self.wake.set()
        if self.live is None and self.scope is not None:
            self.scope.cancel()


@dataclass(frozen=True, slots=True)
class LinkEnvironment:
    """What all lines of a manager share."""

    open_transport: OpenTransport
    limits: ConnectionLimits
    listings: ListingCache
    room: ConnectionLimit
    backoff: Backoff
    roots_for: RootsFor
    offers_sampling: OffersSampling


def stop_error(server: str) -> MCPServerError:
    """Say why nothing is connected any more."""
    return MCPServerError(server, "is not connected any more: DataAgent is stopping.")


class ServerLink:
    """One server, as one owner configured it."""

    def __init__(
        self, key: ConnectionKey, config: MCPServerConfig, around: LinkEnvironment
    ) -> None:
        self.key = key
        self.config = config
        self.used_s = 0.0
        self._around = around
        self._attempt: ConnectAttempt | None = None
        self.standing = ServerHealth(key.server, around.backoff)
        self._superseded = False
        self._stopped = False
        # Those who were promised the connection and did not take it yet.
        self._waiting = 0

    @property
    def live(self) -> "LiveServer | None":
        return None if self._attempt is None else self._attempt.usable

    @property
    def forgettable(self) -> bool:
        return self._attempt is None and not self._waiting

    @property
    def leaving(self) -> bool:
        return self._attempt is not None and bool(
            self._attempt.leaving or (self._attempt.live is not None and self._attempt.live.gone)
        )

    @property
    def idle(self) -> bool:
        live = self.live
        return live is not None and not live.calls and not self._waiting

    @property
    def status(self) -> ServerStatus:
        connecting = self._attempt is not None and not self.leaving
        ended = self._attempt.live if self._attempt is not None and self.leaving else None
        return self.standing.status(
            self.live,
            len(self.listed or ()),
            connecting=connecting,
            # It went away a moment ago, and its owner task is still tidying up after it.
            problem=None if ended is None else ended.problem,
        )

    @property
    def listed(self) -> "tuple[Tool, ...] | None":
        """Its tools as they are known without asking anybody."""
        live = self.live
        return live.tools if live is not None else self._around.listings.recalled(self.key)

    async def opened(self, *, insist: bool = False) -> "LiveServer":
        """Return the connection, opened if it is not; `insist` tries although it failed before."""
        with self._awaited():
            while (live := self.live) is None:
                if self._attempt is None:
                    if self._stopped:
                        raise stop_error(self.key.server)
                    if not insist:
                        self.standing.check()
                    self._attempt = self._started()
                await self._moved_on(self._attempt)
            return live

    @contextmanager
    def _awaited(self) -> Generator[None]:
        """Keep it where others find it: there must never be two lines of one key."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def _moved_on(self, attempt: ConnectAttempt) -> None:
        """Wait until it is open, or was left and is gone; raises what kept it from opening."""
        leaving = self.leaving
        try:
            async with asyncio.timeout_at(attempt.deadline_s if not leaving else None):
                await (attempt.finished if leaving else attempt.settled).wait()
        except TimeoutError:
            raise self._late() from None
        if attempt.live is None and attempt.problem is not None and not leaving:
            raise attempt.problem.with_traceback(None)

    def _late(self) -> MCPServerError:
        return MCPServerError(
            self.key.server,
            f"did not connect within {self.config.timeout} s. Is it the right command or address?"
            " A slow one needs a larger `timeout`.",
        )

    def leave(self, why: str) -> None:
        if self._attempt is not None:
            self._attempt.leave(why)

    def stop(self) -> None:
        """Close it for good."""
        self._stopped = True
        self.leave("DataAgent is stopping")

    @property
    def superseded(self) -> bool:
        """Its owner has another configuration now: closed as soon as its calls have ended."""
        return self._superseded

    @superseded.setter
    def superseded(self, superseded: bool) -> None:
        self._superseded = superseded
        self.touch()

    def touch(self) -> None:
        """Something began or ended: the owner task looks again whether it is still needed."""
        if self._attempt is not None:
            self._attempt.wake.set()

    @property
    def owner_task(self) -> "asyncio.Task[None] | None":
        """What to wait for until nothing of the present connection is left."""
        return None if self._attempt is None else self._attempt.task

    async def tools(self, *, fresh: bool) -> "tuple[Tool, ...]":
        """Ask the server, or what it said on this connection; a `fresh` answer is its own."""
        if self.live is None and not fresh:
            with self._awaited():
                known = await self._around.listings.find(self.key)
            if known is not None:
                return known
        was_open = self.live is not None
        live = await self.opened(insist=fresh)
        with self.using(live, ServerCall()):
            await live.relisted(self.config.timeout, only_if_stale=not (fresh and was_open))
        return live.tools

    @contextmanager
    def using(self, live: "LiveServer", call: ServerCall) -> Generator[None]:
        """While it is in use, the connection is not closed for being idle."""
        most = self._around.limits.calls_per_connection
        if len(live.calls) >= most:
            raise MCPServerError(
                self.key.server,
                f"has {most} calls under way, which is as many as one connection may have"
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

    async def health(self) -> ServerStatus:
        live = self.live
        if live is not None and not await live.answers(MCP_PROBE_S):
            silent = f"It does not answer within {MCP_PROBE_S:g} s."
            return replace(self.status, state="error", detail=silent)
        return self.status

    async def doubt(self, live: "LiveServer") -> None:
        """After a call that was not answered: does it still live? If not, it is given up."""
        if not await live.answers(MCP_PROBE_S) and not live.calls:
            live.end(MCPServerError(self.key.server, "does not answer any more."))

    def _started(self) -> ConnectAttempt:
        loop = asyncio.get_running_loop()
        attempt = ConnectAttempt(loop.time() + self.config.timeout)
        # In a context of its own: it outlives the run that happened to need it first.
        attempt.task = loop.create_task(
            self._own(attempt), name=f"mcp {self.key.server}", context=contextvars.Context()
        )
        return attempt

    async def _own(self, attempt: ConnectAttempt) -> None:
        """Be the owner task: whatever is opened here is closed here."""
        problem: MCPServerError | None = None
        try:
            with anyio.CancelScope(deadline=attempt.deadline_s) as scope:
                attempt.scope = scope
                await self._keep(attempt, scope)
            if scope.cancelled_caught and not attempt.leaving:
                problem = self._late()
        except Exception as error:  # noqa: BLE001 (whatever a server makes its transport raise is that server's failure)
            problem = self._named(error)
        finally:
            self._over(attempt, problem)

    async def _keep(self, attempt: ConnectAttempt, scope: anyio.CancelScope) -> None:
        if attempt.leaving:
            return
        # The SDK's import takes most of a second, which the loop does not have.
        module = await asyncio.to_thread(importlib.import_module, f"{__package__}.live_server")
        around = self._around
        async with around.room.place(self):
            roots = await around.roots_for(self.key.owner, self.config)
            transport = around.open_transport(self.key.owner, self.config)
            async with module.open_live_server(
                transport,
                self.key,
                around.listings,
                attempt.wake.set,
                legacy=self.standing.legacy,
                roots=roots,
                offers_sampling=around.offers_sampling(self.key.owner, self.config),
            ) as live:
                scope.deadline = math.inf
                self._connected(attempt, live)
                await self._until_unused(attempt)

    def _connected(self, attempt: ConnectAttempt, live: "LiveServer") -> None:
        attempt.live = live
        self.standing.connected(live)
        self.used_s = asyncio.get_running_loop().time()
        attempt.settled.set()

    async def _until_unused(self, attempt: ConnectAttempt) -> None:
        loop = asyncio.get_running_loop()
        idle_s = self._around.limits.idle_s
        while attempt.usable is not None:
            if not self.idle:
                wait_s = idle_s
            elif self._superseded:
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

    def _named(self, error: Exception) -> MCPServerError:
        if isinstance(error, MCPServerError):
            return error
        from dataagent_core.mcp.transports.problems import problem_of

        return problem_of(error, self.key.server)

    def _over(self, attempt: ConnectAttempt, problem: MCPServerError | None) -> None:
        """Nothing of it is left: say why, and let the next one try."""
        live = attempt.live
        if live is not None:
            live.gone = True
            problem = live.problem or problem
        if attempt.leaving:
            problem = MCPServerError(self.key.server, f"was disconnected: {attempt.leaving}.")
        else:
            problem = problem or MCPServerError(self.key.server, "closed the connection.")
            (self.standing.failed if live is None else self.standing.lost)(problem)
        attempt.problem = problem
        if live is not None:
            live.problem = problem
            live.over.set()
        self._superseded = False
        self._attempt = None
        attempt.settled.set()
        attempt.finished.set()
