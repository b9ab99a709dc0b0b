"""Runs work to its end, even if the task that waits for it is cancelled repeatedly.

anyio cancels a task again at each of its waits until it leaves the scope, so shielding a single
wait is not enough.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

T = TypeVar("T")


async def run_uncancelled(work: Coroutine[Any, Any, T]) -> T:
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
