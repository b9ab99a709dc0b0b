"""Starts the child processes that open files of the workspace, bounded in time and number.

A child is one file of Python that imports nothing of ours. In and out go a line of JSON and bytes
behind it; an answer without that line is one of a child that was killed at a limit.
"""

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from dataagent_core.config.media_limits import PICTURE_WORKERS_MAX

# A semaphore belongs to one event loop; a server has one.
_workers: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def run_child(
    file: Path, job: dict[str, Any], data: bytes, s_max: float
) -> tuple[dict[str, Any] | None, bytes]:
    """Have a child do a job; None where it was killed. `TimeoutError` where it takes too long."""
    loop = asyncio.get_running_loop()
    async with _workers.setdefault(loop, asyncio.Semaphore(PICTURE_WORKERS_MAX)):
        output = await _output(file, json.dumps(job).encode() + b"\n" + data, s_max)
    line, _, written = output.partition(b"\n")
    try:
        return json.loads(line), written
    except json.JSONDecodeError:
        return None, b""


async def _output(file: Path, job: bytes, s_max: float) -> bytes:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(file),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
    try:
        async with asyncio.timeout(s_max):
            output, _ = await child.communicate(job)
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    return output
