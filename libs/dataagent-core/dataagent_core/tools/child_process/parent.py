"""Starts a worker in a child process, with an empty environment, and ends it when it is late."""

import asyncio
import contextlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CHILD_FILE: Final = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """What one child may use: seconds on the clock and of a processor, and memory."""

    seconds: float
    memory_bytes: int

    def as_job(self) -> dict[str, int]:
        """Give what the child is told."""
        return {"memory_bytes": self.memory_bytes, "cpu_s": math.ceil(self.seconds)}


async def run_child(
    worker: Path, job: Mapping[str, Any], data: bytes, limits: ChildLimits
) -> tuple[dict[str, Any] | None, bytes]:
    """Have a child do a job; None where it was killed. `TimeoutError` where it takes too long."""
    line = json.dumps({**job, "limits": limits.as_job()}).encode()
    output = await _run_and_read(worker, line + b"\n" + data, limits.seconds)
    head, _, written = output.partition(b"\n")
    try:
        return json.loads(head), written
    except json.JSONDecodeError:
        return None, b""


async def _run_and_read(worker: Path, sent: bytes, seconds: float) -> bytes:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(CHILD_FILE),
        str(worker),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await child.communicate(sent)
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    return output
