"""The sandbox's own folder on the host: the skeleton, and a work folder for each overlay.

An overlay's work folder must be on the same mount as the workspace. Where no such place is found
there is no overlay (`bwrap_layout.py`).
"""

import fcntl
import itertools
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dataagent_core.errors import SandboxUnavailableError

_PREFIX = "dataagent-sandbox-"
_SWEPT_MAX = 100
# A folder is made a moment before it is locked.
_FRESH_S = 60.0
_INDEX_OPTION = Path("/sys/module/overlay/parameters/index")


class Scratch:
    """A private folder, gone with `remove`."""

    def __init__(self, workspace_fd: int, candidates: Sequence[Path]) -> None:
        places = [place for place in candidates if os.access(place, os.W_OK)]
        if not places:
            tried = ", ".join(map(str, candidates))
            raise SandboxUnavailableError(
                f"The sandbox needs a folder to write to, and none of {tried} takes one. "
                "Make one of them writable."
            )
        near = [place for place in places if mount_id(place) == mount_id_of(workspace_fd)]
        self.beside_workspace = bool(near)
        place = (near or places)[0]
        sweep(place)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        self._lock = _locked(self.path)
        # The skeleton is public; a command of another user must be able to reach it.
        self.path.chmod(0o711)

    def work_folder(self, owner: int | None) -> Path:
        """Make a work folder for one overlay."""
        folder = Path(tempfile.mkdtemp(prefix="work-", dir=self.path))
        if owner is not None:
            os.chown(folder, owner, -1)
        return folder

    def drop_work_folder(self, folder: Path) -> None:
        """Remove it; the kernel leaves an empty folder nobody may read inside."""
        with suppress(OSError):
            (folder / "work").chmod(stat.S_IRWXU)
        shutil.rmtree(folder, ignore_errors=True)

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def sweep(place: Path) -> None:
    """Remove what sandboxes left behind whose process was killed: nobody holds their lock."""
    for left in itertools.islice(place.glob(f"{_PREFIX}*"), _SWEPT_MAX):
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


def overlays_can_share() -> bool:
    """Say whether two overlays may have the same upper layer (not with the kernel's index)."""
    with suppress(OSError):
        return _INDEX_OPTION.read_text().strip() != "Y"
    # The module is loaded with the first overlay; its default is what distributions ship.
    return True


def mount_id(path: Path) -> int:
    """Give the number of the mount a folder is on."""
    descriptor = os.open(path, os.O_PATH | os.O_DIRECTORY)
    try:
        return mount_id_of(descriptor)
    finally:
        os.close(descriptor)


def mount_id_of(descriptor: int) -> int:
    """Give the number of the mount an open folder is on."""
    for line in Path(f"/proc/self/fdinfo/{descriptor}").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "mnt_id":
            return int(value)
    return -1
