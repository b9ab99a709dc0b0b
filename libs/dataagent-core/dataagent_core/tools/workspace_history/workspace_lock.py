"""A kernel lock for one snapshot or rewind at a time, released when its process ends."""

import contextlib
import fcntl
import os
import time
from collections.abc import Generator
from pathlib import Path

from dataagent_core.config.limits.history import HISTORY_LOCK_PAUSE_S, HISTORY_LOCK_S
from dataagent_core.errors import ConflictError

_NAME = "history.lock"


@contextlib.contextmanager
def lock_workspace(folder: Path) -> Generator[None]:
    """Hold the lock in a workspace's private folder. Blocks for a limited time."""
    descriptor = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(descriptor)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int) -> None:
    deadline_s = time.monotonic() + HISTORY_LOCK_S
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline_s:
                raise ConflictError(
                    f"Another process has been looking at this workspace for {HISTORY_LOCK_S:.0f} "
                    "s. Wait for it, or stop it, then try again."
                ) from None
        time.sleep(HISTORY_LOCK_PAUSE_S)
