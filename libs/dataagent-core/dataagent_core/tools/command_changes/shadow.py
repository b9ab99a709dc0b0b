"""The shadow of one workspace: gives snapshots, and the contents they name.

A look walks the workspace and reads only files whose stamp is new, so a workspace that did not
change costs the walk. A file that changed a moment ago is read again next time, because a second
change could carry the same stamp.
"""

import contextlib
import time
from collections.abc import Callable, Generator
from pathlib import Path
from threading import RLock

from dataagent_core.config.limits import SHADOW_ENTRIES_SEEN_MAX, SHADOW_UNSWEPT_BYTES_MAX
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.safe_survey import Stamp, survey
from dataagent_core.tools.command_changes.catching_up import Known, recognised, take_in
from dataagent_core.tools.command_changes.places import passed_over
from dataagent_core.tools.command_changes.snapshot import FileState, Snapshot
from dataagent_core.tools.command_changes.store import ContentStore
from dataagent_core.tools.command_changes.store_file import open_store
from dataagent_core.tools.command_changes.store_folder import open_folder

# Gives a content by its hash; `None` if it was dropped meanwhile.
Contents = Callable[[str], bytes | None]


class Shadow:
    """Looks at a workspace; its store lies in a folder of its own below `shadows`. It blocks."""

    def __init__(self, root: SafeRoot, shadows: Path) -> None:
        self._root = root
        self._shadows = shadows
        self._folder: Path | None = None
        self._known: Known | None = None
        # As if there were much to sweep: an earlier process may have left it.
        self._unswept_bytes = SHADOW_UNSWEPT_BYTES_MAX
        self._lock = RLock()

    def look(self) -> Snapshot:
        """Bring the shadow up to date and say what the workspace holds."""
        with self._lock:
            taken_ns = time.time_ns()
            skipped = passed_over(self._root)
            surveyed = survey(self._root, skipped, entries_max=SHADOW_ENTRIES_SEEN_MAX)
            known = self._recalled()
            seen = recognised(surveyed.files, known)
            states = seen.states
            forgotten = {path for path in known if not seen.keeps(path)}
            if seen.unread or forgotten:
                states |= self._caught_up(seen.unread, taken_ns, forgotten)
            return Snapshot(
                files=states,
                taken_ns=taken_ns,
                passed_over=surveyed.passed_over,
                unreadable=surveyed.unreadable,
                complete=surveyed.complete,
            )

    @contextlib.contextmanager
    def contents(self) -> Generator[Contents]:
        """Open the contents that snapshots name."""
        with self._lock, open_store(self.folder()) as store:

            def content(sha256: str) -> bytes | None:
                data = store.content(sha256)
                if data is None:
                    # Somebody removed the store: what is known of it no longer holds.
                    self._known = {}
                return data

            yield content

    @contextlib.contextmanager
    def store(self) -> Generator[ContentStore]:
        """Open the store for whoever keeps more in it."""
        with open_store(self.folder()) as store:
            yield store

    def folder(self) -> Path:
        """Give the private folder of this workspace's store."""
        if self._folder is None or not self._folder.is_dir():
            self._folder = open_folder(self._shadows, self._root.path)
        return self._folder

    def _caught_up(
        self, unread: dict[str, Stamp], taken_ns: int, forgotten: set[str]
    ) -> dict[str, FileState]:
        known = self._recalled()
        with open_store(self.folder()) as store:
            # First, so that what this look replaces can still be compared with.
            if self._unswept_bytes >= SHADOW_UNSWEPT_BYTES_MAX:
                store.sweep()
                self._unswept_bytes = 0
            taken = take_in(self._root, unread, taken_ns, store)
            stale = forgotten | (unread.keys() & known.keys()) - taken.known.keys()
            store.forget(stale)
            self._unswept_bytes += taken.size_bytes
        for path in stale:
            del known[path]
        known |= taken.known
        return taken.states

    def _recalled(self) -> Known:
        if self._known is None:
            with open_store(self.folder()) as store:
                self._known = {
                    path: (found.stamp, FileState.of(found.stamp, found.sha256))
                    for path, found in store.index().items()
                }
        return self._known
