"""Waiting for something that another task or process brings about."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

LIMIT_S = 120.0


async def eventually(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    """Return as soon as the condition holds."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            found = condition()
            if await found if inspect.isawaitable(found) else found:
                return
            await asyncio.sleep(0.01)
