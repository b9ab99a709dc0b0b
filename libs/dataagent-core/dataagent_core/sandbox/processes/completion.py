"""Waits for work that must be finished even when cancelled, and for the end of a command."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from dataagent_core.sandbox.port import KilledReason

T = TypeVar("T")


async def run_to_completion(work: Awaitable[T]) -> T:
    """Finish the work first; a cancellation that came meanwhile is passed on after it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


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
