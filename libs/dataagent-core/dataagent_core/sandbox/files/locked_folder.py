"""A folder of our own for as long as our process lives; one whose process is gone is swept away."""

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
    """A new folder, gone with `remove`; the lock is the kernel's, so it ends with our process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = _locked(path)

    @classmethod
    def make(cls, place: Path, prefix: str) -> Self:
        """Make one, after sweeping away what others with this prefix left."""
        sweep_locked_folders(place, prefix)
        return cls(Path(tempfile.mkdtemp(prefix=prefix, dir=place)))

    def remove(self) -> None:
        """Remove it with everything in it; a second time does nothing."""
        shutil.rmtree(self.path, ignore_errors=True)
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


def sweep_locked_folders(place: Path, prefix: str) -> None:
    """Remove what was left behind by processes that were killed: nobody holds its lock."""
    for left in itertools.islice(place.glob(f"{prefix}*"), _SWEPT_MAX):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime < _FRESH_S:
                continue
        lock = _locked(left)
        if lock is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)


def _locked(folder: Path) -> int | None:
    """Hold a folder as long as our process lives, or say that another one does."""
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
