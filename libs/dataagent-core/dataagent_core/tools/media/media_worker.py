"""Runs the workers that open files of the workspace, few at the same time."""

import asyncio
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from dataagent_core.config.limits.media import PICTURE_WORKERS_MAX
from dataagent_core.tools.child_process import ChildLimits, run_child

# A semaphore belongs to one event loop; a server has one.
_free: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def run_media_worker(
    worker: Path, job: dict[str, Any], data: bytes, limits: ChildLimits
) -> tuple[dict[str, Any] | None, bytes]:
    """Wait for a free place and run a worker; answers like `run_child`."""
    loop = asyncio.get_running_loop()
    async with _free.setdefault(loop, asyncio.Semaphore(PICTURE_WORKERS_MAX)):
        return await run_child(worker, job, data, limits)
