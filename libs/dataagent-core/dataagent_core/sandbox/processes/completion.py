"""Waits for work that must be finished even when cancelled, and for the end of a command."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from dataagent_core.sandbox.port import KilledReason

T = TypeVar("T")


async def run_to_completion(work: Awaitable[T]) -> T:
    """Finish the work first; a cancellation that came meanwhile is passed on after it.

    There may be several: a sub-agent can run out of time while its caller is stopped.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return task.result()
    if not task.cancelled():
        # Whoever cancelled hears of that alone.
        task.exception()
    raise cancelled


async def wait_for_stop_reason(
    ended: Awaitable[object],
    timeout_s: float | None,
    *excesses: Awaitable[KilledReason],
) -> KilledReason | None:
    """Give why a command has to be killed, or None when it ended by itself."""
    end = asyncio.ensure_future(ended)
    watching = [asyncio.ensure_future(excess) for excess in excesses]
    try:
        done, _ = await asyncio.wait(
            {end, *watching}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
        )
        if end in done:
            return None
        reasons: list[KilledReason] = [task.result() for task in watching if task in done]
        return reasons[0] if reasons else "timeout"
    finally:
        for task in (end, *watching):
            task.cancel()
        await asyncio.gather(end, *watching, return_exceptions=True)
