"""The sandbox's own folder on the host: the skeleton, and a work folder for each overlay.

An overlay's work folder must be on the same mount as the workspace. Where no such place is found
there is no overlay (`bwrap_layout.py`).
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.locked_folder import LockedFolder

PREFIX = "dataagent-sandbox-"
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
        self._folder = LockedFolder.make(place, PREFIX)
        self.path = self._folder.path
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
        self._folder.remove()


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
