"""The folders that agents read skills from: `{root}/{digest}/{tier}/{skill}/...`.

A folder is written once under another name, renamed, and never changed: a skill that is deleted
meanwhile stays for the runs that began with it. Processes share the root. Whoever uses a folder
renews its time; `sweep` removes those whose time is long past. Others of the installation may read
them, because commands run as another user.
"""

import asyncio
import os
import shutil
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dataagent_core.ids import new_id
from dataagent_server.agents.skills.limits import SET_FOLDERS_KEPT

_FOLDER_MODE: Final = 0o755


@dataclass(slots=True)
class SetFolders:
    """The folders of one installation, and those that agents of this process use."""

    root: Path
    clock: Callable[[], float] = time.time
    _uses: Counter[str] = field(default_factory=Counter[str])

    async def ensure(self, digest: str, write: Callable[[Path], Awaitable[None]]) -> Path:
        """Return the folder of a set; `write` fills a new one."""
        place = self.root / digest
        if await asyncio.to_thread(self.renew, digest):
            return place
        draft = self.root / f".{new_id()}"
        await asyncio.to_thread(make_readable_folder, draft)
        try:
            await write(draft)
            # Another process may have been faster.
            with suppress(OSError):
                await asyncio.to_thread(draft.rename, place)
        finally:
            await asyncio.to_thread(shutil.rmtree, draft, ignore_errors=True)
        if not await asyncio.to_thread(self.renew, digest):
            raise FileNotFoundError(place)
        return place

    def renew(self, digest: str) -> bool:
        """Renew the time of a folder; False when there is none. It blocks."""
        try:
            now = self.clock()
            os.utime(self.root / digest, (now, now))
        except FileNotFoundError:
            return False
        return True

    @contextmanager
    def hold(self, digest: str | None) -> Generator[None]:
        """Keep a folder while an agent uses it."""
        if digest is None:
            yield
            return
        self._uses[digest] += 1
        try:
            yield
        finally:
            self._uses[digest] -= 1
            if not self._uses[digest]:
                del self._uses[digest]

    def sweep(self) -> None:
        """Renew what agents of this process use, and remove what nobody has used for long."""
        for digest in list(self._uses):
            self.renew(digest)
        if not self.root.is_dir():
            return
        oldest_s = self.clock() - SET_FOLDERS_KEPT.total_seconds()
        for folder in list(self.root.iterdir()):
            with suppress(FileNotFoundError):
                if folder.stat().st_mtime < oldest_s:
                    self._remove(folder, oldest_s)

    def _remove(self, folder: Path, oldest_s: float) -> None:
        # Renamed first, so that nobody finds half of one; who renewed it just now gets it back.
        trash = self.root / f".{new_id()}"
        folder.rename(trash)
        if trash.stat().st_mtime >= oldest_s and not folder.exists():
            trash.rename(folder)
            return
        shutil.rmtree(trash, ignore_errors=True)


def make_readable_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, that others may read."""
    if not path.parent.exists():
        make_readable_folder(path.parent)
    with suppress(FileExistsError):
        path.mkdir()
        # Whatever the process's mask is.
        path.chmod(_FOLDER_MODE)
