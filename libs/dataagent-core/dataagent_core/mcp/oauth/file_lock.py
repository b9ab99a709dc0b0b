"""A lock between processes on one machine, by a file that stays.

The kernel drops the lock with its holder, however that ended. The file is never removed: who waits
on it would then hold a lock nobody else sees.
"""

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from dataagent_core.config.limits.mcp import MCP_AUTH_LOCK_PAUSE_S
from dataagent_core.errors import StorageError


@asynccontextmanager
async def hold_lock(path: Path, wait_s: float) -> AsyncGenerator[None]:
    """Hold it while awaiting other things; a wait can be cancelled."""
    descriptor = _opened(path)
    try:
        until = time.monotonic() + wait_s
        while not _taken(descriptor):
            _give_up_after(until, path)
            await asyncio.sleep(MCP_AUTH_LOCK_PAUSE_S)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def hold_lock_briefly(path: Path, wait_s: float) -> Generator[None]:
    """Hold it in a thread, for a moment of reading and writing."""
    descriptor = _opened(path)
    try:
        until = time.monotonic() + wait_s
        while not _taken(descriptor):
            _give_up_after(until, path)
            time.sleep(MCP_AUTH_LOCK_PAUSE_S)
        yield
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StorageError(
            f"The lock {path} cannot be made: {error.strerror or error}. Make its folder writable."
        ) from error


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _give_up_after(until: float, path: Path) -> None:
    if time.monotonic() >= until:
        raise StorageError(
            f"Another process holds {path} and does not let go of it. End it, then try again."
        )
