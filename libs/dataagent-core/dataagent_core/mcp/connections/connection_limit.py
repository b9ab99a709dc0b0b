"""How many connections there may be at once: of one person, and in this process.

A connection counts from before it is opened until its process is gone. Who finds no room has the
connection closed that was idle longest; nobody's call is ever cut off for it.

What a place allows its MCP connections; the defaults are for one machine with many people.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from dataagent_core.config.limits.mcp import (
    MCP_CALLS_PER_CONNECTION_MAX,
    MCP_CONNECTIONS_MAX,
    MCP_CONNECTIONS_PER_USER_MAX,
    MCP_IDLE_S,
    MCP_LINGER_S,
    MCP_RETRY_BASE_S,
    MCP_RETRY_DELAY_S_MAX,
    MCP_SERVERS_PER_USER_MAX,
)
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.connection_key import ConnectionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections, for how long, and how often a failing server is tried."""

    servers_per_user: int = MCP_SERVERS_PER_USER_MAX
    # Connections, and so processes, that are open, being opened or being closed at one time.
    connections_per_user: int = MCP_CONNECTIONS_PER_USER_MAX
    connections: int = MCP_CONNECTIONS_MAX
    calls_per_connection: int = MCP_CALLS_PER_CONNECTION_MAX
    idle_s: float = MCP_IDLE_S
    linger_s: float = MCP_LINGER_S
    retry_base_s: float = MCP_RETRY_BASE_S
    retry_delay_s_max: float = MCP_RETRY_DELAY_S_MAX


class ConnectionLimitError(MCPServerError):
    """Every place is taken by a call; no fault of the server's."""


class LimitOccupant(Protocol):
    """What takes a place."""

    @property
    def key(self) -> ConnectionKey: ...

    @property
    def idle(self) -> bool:
        """Open, and nobody's call is under way."""
        ...

    @property
    def leaving(self) -> bool: ...

    @property
    def used_s(self) -> float: ...

    def leave(self, why: str) -> None: ...


class ConnectionLimit:
    """The places that are taken."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._taken: list[LimitOccupant] = []
        self._somebody_left = asyncio.Event()

    @asynccontextmanager
    async def place(self, occupant: LimitOccupant) -> AsyncGenerator[None]:
        await self._make_room(occupant)
        self._taken.append(occupant)
        try:
            yield
        finally:
            self._taken.remove(occupant)
            self._somebody_left.set()
            self._somebody_left = asyncio.Event()

    async def _make_room(self, occupant: LimitOccupant) -> None:
        while (full := self._full(occupant)) is not None:
            others, cap = full
            idle = [one for one in others if one.idle]
            if idle:
                min(idle, key=lambda one: one.used_s).leave(
                    "its place was needed for another server"
                )
            elif not any(one.leaving for one in others):
                raise ConnectionLimitError(occupant.key.server, f"was not connected: {cap}")
            await self._somebody_left.wait()

    def _full(self, occupant: LimitOccupant) -> tuple[list[LimitOccupant], str] | None:
        """Whose places are all taken, if they are, and the limit in words."""
        own = [one for one in self._taken if one.key.owner == occupant.key.owner]
        if len(own) >= self._limits.connections_per_user:
            return own, (
                f"{len(own)} connections of yours are busy, which is as many as one person may"
                " have (connections_per_user). Wait until one of their calls ends."
            )
        if len(self._taken) >= self._limits.connections:
            return self._taken, (
                f"{len(self._taken)} connections are busy, which is as many as this machine may"
                " have (connections). Wait until one of their calls ends."
            )
        return None
