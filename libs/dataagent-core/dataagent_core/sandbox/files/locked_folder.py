"""A temporary folder, locked while our process lives; those of dead processes are removed."""

import fcntl
import itertools
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

_SWEPT_MAX = 100
# A folder is made a moment before it is locked.
_FRESH_S = 60.0


class LockedFolder:
    """A new folder until `remove`; the lock is the kernel's, so it ends with our process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = _try_lock(path)

    @classmethod
    def make(cls, parent: Path, prefix: str) -> Self:
        """Make one, after removing what dead processes left under this prefix."""
        sweep_locked_folders(parent, prefix)
        return cls(Path(tempfile.mkdtemp(prefix=prefix, dir=parent)))

    def remove(self) -> None:
        """Remove it with everything in it; a second time does nothing."""
        shutil.rmtree(self.path, ignore_errors=True)
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


def sweep_locked_folders(parent: Path, prefix: str) -> None:
    """Remove the folders of killed processes: nobody holds their lock."""
    for left in itertools.islice(parent.glob(f"{prefix}*"), _SWEPT_MAX):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime < _FRESH_S:
                continue
        lock = _try_lock(left)
        if lock is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)


def _try_lock(folder: Path) -> int | None:
    """Lock a folder until our process ends; None if it is locked already."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
