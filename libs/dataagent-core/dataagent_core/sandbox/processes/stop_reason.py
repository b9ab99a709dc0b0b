"""Wait for a command, a time-out, a limit or too much output, whichever comes first."""

import asyncio
from collections.abc import Awaitable

from dataagent_core.sandbox.port import KilledReason


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
