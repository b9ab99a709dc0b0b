"""Runs coroutines side by side: one that is cancelled takes the rest with it, a failure does not.

Failures of members are values by the time they get here. What still raises (a question to a
person, a limit of the run) is raised once all have ended, so that no effect is cut in half.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


async def together(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T | None]:
    """Return what each came to, in order; `None` for one that was cancelled."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]

    def cancel_the_rest(ended: asyncio.Task[T]) -> None:
        if ended.cancelled():
            for task in tasks:
                # A second cancel would break off the clean-up that the first one began.
                if not task.cancelling():
                    task.cancel()

    for task in tasks:
        task.add_done_callback(cancel_the_rest)
    # When we are cancelled ourselves, `gather` cancels all of them and waits for their end.
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    results: list[T | None] = []
    for one in ended:
        if isinstance(one, asyncio.CancelledError):
            results.append(None)
        elif isinstance(one, BaseException):
            raise one
        else:
            results.append(one)
    return results
