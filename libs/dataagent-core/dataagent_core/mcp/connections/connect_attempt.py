"""One life of a connection: from the try to open it until its process is gone."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataagent_core.errors import MCPServerError

if TYPE_CHECKING:
    import anyio

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
