"""The sandbox's own folders on the host, on the disk and in memory."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.files.locked_folder import LockedFolder

SCRATCH_PREFIX = "dataagent-sandbox-"
# The machine's file system in memory.
_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it


class ScratchFolder:
    """A private folder in the first place that takes one, gone with `remove`."""

    def __init__(self, candidates: Sequence[Path]) -> None:
        places = [place for place in candidates if os.access(place, os.W_OK)]
        if not places:
            tried = ", ".join(map(str, candidates))
            raise SandboxUnavailableError(
                f"The sandbox needs a folder to write to, and none of {tried} takes one. "
                "Make one of them writable."
            )
        self._folder = LockedFolder.make(places[0], SCRATCH_PREFIX)
        self.path = self._folder.path
        # Shown in place of files that are not to be read.
        self.empty_file = self.path / "empty"
        self.empty_file.touch()
        self.closed_file = self.path / "closed"
        self.closed_file.touch(mode=0)
        # What is in it is public; a command of another user must be able to reach it.
        self.path.chmod(0o711)
        self._memory: LockedFolder | None = None
        self._making = threading.Lock()

    def memory(self) -> Path:
        """Give a private folder in memory, for what is dropped at once.

        An overlay that ends writes out the whole file system its layer lies on: on a disk that
        takes as long as others have written to it.
        """
        with self._making:
            if self._memory is None:
                try:
                    self._memory = LockedFolder.make(_MEMORY, SCRATCH_PREFIX)
                except OSError as error:
                    raise SandboxUnavailableError(f"{_MEMORY} takes no folder: {error}.") from error
                self._memory.path.chmod(0o711)
            return self._memory.path

    def remove(self) -> None:
        """Remove everything."""
        self._folder.remove()
        if self._memory is not None:
            self._memory.remove()
