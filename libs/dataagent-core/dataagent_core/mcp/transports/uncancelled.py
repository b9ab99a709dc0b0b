"""Work that must be done to its end, however often whoever waits for it is cancelled.

anyio cancels a task again at each of its waits until it leaves the scope, which
`sandbox.finishing.to_the_end` does not outlast.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

T = TypeVar("T")


async def whole(work: Coroutine[Any, Any, T]) -> T:
    """Finish the work in a task of its own; a cancellation that came meanwhile is passed on."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # somebody has looked: asyncio need not report it
        raise cancelled
    return task.result()
