"""Limits the connections that are open at once, for each owner and in this process.

A connection counts from before it is opened until its process is gone. At the limit the connection
that was idle longest is closed; a call is never interrupted for it.
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
    """Limits of connections and retries; the defaults are for one machine with many users."""

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
    """All connections are busy; the server is not at fault."""


class LimitOccupant(Protocol):
    """A connection that counts."""

    @property
    def key(self) -> ConnectionKey: ...

    @property
    def is_idle(self) -> bool:
        """Whether it is open without a running call."""
        ...

    @property
    def is_leaving(self) -> bool: ...

    @property
    def used_s(self) -> float: ...

    def leave(self, why: str) -> None: ...


class ConnectionLimit:
    """Admits connections up to the limits."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._occupants: list[LimitOccupant] = []
        self._released = asyncio.Event()

    @asynccontextmanager
    async def acquire(self, occupant: LimitOccupant) -> AsyncGenerator[None]:
        await self._wait_for_slot(occupant)
        self._occupants.append(occupant)
        try:
            yield
        finally:
            self._occupants.remove(occupant)
            self._released.set()
            self._released = asyncio.Event()

    async def _wait_for_slot(self, occupant: LimitOccupant) -> None:
        while (full := self._find_full(occupant)) is not None:
            others, cap = full
            is_idle = [one for one in others if one.is_idle]
            if is_idle:
                min(is_idle, key=lambda one: one.used_s).leave(
                    "its place was needed for another server"
                )
            elif not any(one.is_leaving for one in others):
                raise ConnectionLimitError(occupant.key.server, f"was not connected: {cap}")
            await self._released.wait()

    def _find_full(self, occupant: LimitOccupant) -> tuple[list[LimitOccupant], str] | None:
        """Return the occupants of a limit that is reached, and a sentence about it."""
        own = [one for one in self._occupants if one.key.owner == occupant.key.owner]
        if len(own) >= self._limits.connections_per_user:
            return own, (
                f"{len(own)} connections of yours are busy, which is as many as one person may"
                " have (connections_per_user). Wait until one of their calls ends."
            )
        if len(self._occupants) >= self._limits.connections:
            return self._occupants, (
                f"{len(self._occupants)} connections are busy, which is as many as this machine may"
                " have (connections). Wait until one of their calls ends."
            )
        return None
