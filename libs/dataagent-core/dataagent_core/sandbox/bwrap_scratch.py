"""The sandbox's own folders on the host: for the `/etc` its commands see, and for layers."""

import os
from collections.abc import Sequence
from pathlib import Path

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.locked_folder import LockedFolder

PREFIX = "dataagent-sandbox-"
# A file system in memory. When an overlay is unmounted its layer is flushed, and a disk takes
# longer for that than most commands run.
MEMORY = Path("/dev/shm")  # noqa: S108  a folder with a random name is made in it


class Scratch:
    """A private folder in the first place that takes one, gone with `remove`.

    `layers` is where overlays keep what a command writes: in memory where that is possible.
    """

    def __init__(self, candidates: Sequence[Path]) -> None:
        places = [place for place in candidates if os.access(place, os.W_OK)]
        if not places:
            tried = ", ".join(map(str, candidates))
            raise SandboxUnavailableError(
                f"The sandbox needs a folder to write to, and none of {tried} takes one. "
                "Make one of them writable."
            )
        self._folder = LockedFolder.make(places[0], PREFIX)
        self.path = self._folder.path
        self.etc = self.path / "etc"
        # Shown in place of files that are not to be read.
        self.empty_file = self.path / "empty"
        self.empty_file.touch()
        self.closed_file = self.path / "closed"
        self.closed_file.touch(mode=0)
        # What is in it is public; a command of another user must be able to reach it.
        self.path.chmod(0o711)
        self._memory = _memory_folder()
        self.layers = self._memory.path if self._memory is not None else self.path

    def remove(self) -> None:
        """Remove everything."""
        self._folder.remove()
        if self._memory is not None:
            self._memory.remove()


def _memory_folder() -> LockedFolder | None:
    """Make a folder in memory, if it can hold the marks of an overlay."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        return None
    folder = LockedFolder.make(MEMORY, PREFIX)
    try:
        os.setxattr(folder.path, "user.overlay.probe", b"y")
    except OSError:
        folder.remove()
        return None
    folder.path.chmod(0o711)
    return folder
