"""Background tasks: for as long as a context is held, or periodic."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from dataagent_core.errors import StorageError

logger = logging.getLogger(__name__)


@asynccontextmanager
async def run_in_background(*work: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Run the work beside the context; it is cancelled and awaited at the end."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def every(pause_s: float, chore: Callable[[], Awaitable[object]]) -> None:
    """Repeat a chore; a failure does not stop it."""
    name = getattr(chore, "__name__", "a chore")
    while True:
        await asyncio.sleep(pause_s)
        try:
            await chore()
        except StorageError as error:
            logger.warning("%s: %s", name, error)
        except Exception:
            # One fault must not end all heartbeats.
            logger.exception("%s failed", name)
