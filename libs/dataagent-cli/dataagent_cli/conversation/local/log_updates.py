"""Waking whoever reads a session's log: something was added, or nothing will be any more."""

import asyncio
from contextlib import suppress


class LogUpdates:
    """Counts what happened; a reader that looked at count N waits until there is more."""

    def __init__(self) -> None:
        self.count = 0
        self.over = False
        self._changed = asyncio.Event()

    def tell(self) -> None:
        self.count += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Let every reader finish what there is, and stop."""
        self.over = True
        self.tell()

    async def ended(self, timeout_s: float) -> bool:
        """Wait for the end; says whether it came in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not self.over:
                    await self.after(self.count)
        return self.over

    async def after(self, count: int) -> None:
        """Wait until something happened since the count was read."""
        while self.count == count and not self.over:
            await self._changed.wait()
