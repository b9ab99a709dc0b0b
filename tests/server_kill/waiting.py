"""Waits for an effect of a server in another process."""

import asyncio
from collections.abc import Callable

LIMIT_S = 120.0


async def eventually(condition: Callable[[], bool]) -> None:
    """Return as soon as the condition holds."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            if condition():
                return
            await asyncio.sleep(0.05)
