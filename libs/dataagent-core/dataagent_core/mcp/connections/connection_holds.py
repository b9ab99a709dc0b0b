"""Who still needs a person's connections (S0-50).

Whoever works for a person holds on to them; when the last one lets go, their connections are
closed after a while in which the next session may begin.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from dataagent_core.mcp.owner import Owner

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
