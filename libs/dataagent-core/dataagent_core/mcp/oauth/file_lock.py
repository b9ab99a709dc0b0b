"""A lock between processes on one machine, on a file that is never removed.

The kernel releases the lock when its holder ends. If the file were removed, a waiting process would
hold a lock that no other process sees.
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
    """Hold the lock in async code; the wait can be cancelled."""
    descriptor = _open_lock_file(path)
    try:
        deadline_s = time.monotonic() + wait_s
        while not _try_lock(descriptor):
            _check_deadline(deadline_s, path)
            await asyncio.sleep(MCP_AUTH_LOCK_PAUSE_S)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def hold_lock_briefly(path: Path, wait_s: float) -> Generator[None]:
    """Hold the lock in a thread, for a short read and write."""
    descriptor = _open_lock_file(path)
    try:
        deadline_s = time.monotonic() + wait_s
        while not _try_lock(descriptor):
            _check_deadline(deadline_s, path)
            time.sleep(MCP_AUTH_LOCK_PAUSE_S)
        yield
    finally:
        os.close(descriptor)


def _open_lock_file(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StorageError(
            f"The lock {path} cannot be made: {error.strerror or error}. Make its folder writable."
        ) from error


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _check_deadline(deadline_s: float, path: Path) -> None:
    if time.monotonic() >= deadline_s:
        raise StorageError(
            f"Another process holds {path} and does not let go of it. End it, then try again."
        )
