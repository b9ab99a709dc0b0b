"""Lets work go on until it ends, somebody cancels, or its time is up."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Literal, TypeVar

from dataagent_core.config.limits import CANCEL_GRACE_S

T = TypeVar("T")


class Interrupted(BaseException):
    """The work was stopped before its end."""

    def __init__(self, reason: Literal["user_cancelled", "timeout"]) -> None:
        super().__init__(reason)
        self.reason: Literal["user_cancelled", "timeout"] = reason


async def race(
    work: Coroutine[Any, Any, T], token: asyncio.Event | None, timeout_s: float | None
) -> T:
    """Return what `work` returns, or raise `Interrupted` soon after it was stopped."""
    task = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(token.wait()) if token else None
    try:
        waited_for = {task, stop} if stop else {task}
        await asyncio.wait(waited_for, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise Interrupted("user_cancelled" if stop and stop.done() else "timeout")
    finally:
        if stop:
            stop.cancel()
        if not task.done():
            task.cancel()
            # A tool that ignores cancellation must not hold up the answer: it is left behind, and
            # the recorder takes nothing more from it.
            task.add_done_callback(lambda t: t.cancelled() or t.exception())
            await asyncio.wait({task}, timeout=CANCEL_GRACE_S)
