"""The shadow of a workspace: updates the stored contents and returns snapshots.

Only files with a new stamp are read, so an unchanged workspace costs one walk; a file that changed
a moment ago is read again. `.git`, `.dataagent`, `node_modules`, `__pycache__` and virtual
environments are skipped, whatever ignore files say; one that appears or goes is one change. Each
shadow is a private folder in our home; folders unused for long, or too many, are removed when
another is opened.
"""

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Generator
from pathlib import Path
from threading import RLock

from dataagent_core.config.limits import (
    SHADOW_ENTRIES_SEEN_MAX,
    SHADOW_SPARE_S,
    SHADOW_UNSWEPT_BYTES_MAX,
    SHADOW_UNUSED_S_MAX,
    SHADOW_WORKSPACES_MAX,
)
from dataagent_core.sandbox.files.file_survey import FileStamp, SkipRules, survey_files
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.protected_paths import PROTECTED_DIRECTORIES
from dataagent_core.tools.command_changes.content_database import open_content_database
from dataagent_core.tools.command_changes.content_store import ContentStore
from dataagent_core.tools.command_changes.content_update import (
    KnownStates,
    read_new_contents,
    recognise_files,
)
from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot
from dataagent_core.tools.files.search.ignore_rules import DEFAULT_EXCLUDES

_OWNER_ONLY = 0o700


def open_shadow_folder(shadows: Path, workspace: Path) -> Path:
    """Make the folder for one workspace, for its owner only, and note that it is in use."""
    folder = shadows / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:32]
    for private in (shadows, folder):
        private.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        private.chmod(_OWNER_ONLY)
    os.utime(folder)
    _drop_unused(shadows, time.time())
    return folder


def _drop_unused(shadows: Path, now_s: float) -> None:
    ages = sorted((now_s - found.stat().st_mtime, found) for found in shadows.iterdir())
    for number, (age_s, folder) in enumerate(ages):
        one_too_many = number >= SHADOW_WORKSPACES_MAX and age_s > SHADOW_SPARE_S
        if one_too_many or age_s > SHADOW_UNUSED_S_MAX:
            shutil.rmtree(folder, ignore_errors=True)


# Written by `python -m venv` and every tool like it.
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"


def make_skip_rules(root: SafeRoot) -> SkipRules:
    """Name what is not looked into beneath a root: also our own home, if it lies there."""
    return SkipRules(
        names=frozenset({*DEFAULT_EXCLUDES, *PROTECTED_DIRECTORIES}),
        holding=frozenset({_VIRTUAL_ENVIRONMENT}),
        identities=root.closed,
    )


# Gives a content by its hash; `None` if it was dropped meanwhile.
ReadContent = Callable[[str], bytes | None]


class WorkspaceShadow:
    """Looks at a workspace; its store lies in a folder of its own below `shadows`. It blocks."""

    def __init__(self, root: SafeRoot, shadows: Path) -> None:
        self._root = root
        self._shadows = shadows
        self._folder: Path | None = None
        self._known: KnownStates | None = None
        # As if there were much to sweep: an earlier process may have left it.
        self._unswept_bytes = SHADOW_UNSWEPT_BYTES_MAX
        self._lock = RLock()

    def look(self) -> WorkspaceSnapshot:
        """Bring the shadow up to date and say what the workspace holds."""
        with self._lock:
            taken_ns = time.time_ns()
            skipped = make_skip_rules(self._root)
            surveyed = survey_files(self._root, skipped, entries_max=SHADOW_ENTRIES_SEEN_MAX)
            known = self._recalled()
            seen = recognise_files(surveyed.files, known)
            states = seen.states
            forgotten = {path for path in known if not seen.keeps(path)}
            if seen.unread or forgotten:
                states |= self._caught_up(seen.unread, taken_ns, forgotten)
            return WorkspaceSnapshot(
                files=states,
                taken_ns=taken_ns,
                passed_over=surveyed.passed_over,
                unreadable=surveyed.unreadable,
                complete=surveyed.complete,
            )

    @contextlib.contextmanager
    def contents(self) -> Generator[ReadContent]:
        """Open the contents that snapshots name."""
        with self._lock, open_content_database(self.folder()) as store:

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
        with open_content_database(self.folder()) as store:
            yield store

    def folder(self) -> Path:
        """Give the private folder of this workspace's store."""
        if self._folder is None or not self._folder.is_dir():
            self._folder = open_shadow_folder(self._shadows, self._root.path)
        return self._folder

    def _caught_up(
        self, unread: dict[str, FileStamp], taken_ns: int, forgotten: set[str]
    ) -> dict[str, FileState]:
        known = self._recalled()
        with open_content_database(self.folder()) as store:
            # First, so that what this look replaces can still be compared with.
            if self._unswept_bytes >= SHADOW_UNSWEPT_BYTES_MAX:
                store.sweep()
                self._unswept_bytes = 0
            taken = read_new_contents(self._root, unread, taken_ns, store)
            stale = forgotten | (unread.keys() & known.keys()) - taken.known.keys()
            store.forget(stale)
            self._unswept_bytes += taken.size_bytes
        for path in stale:
            del known[path]
        known |= taken.known
        return taken.states

    def _recalled(self) -> KnownStates:
        if self._known is None:
            with open_content_database(self.folder()) as store:
                self._known = {
                    path: (found.stamp, FileState.of(found.stamp, found.sha256))
                    for path, found in store.index().items()
                }
        return self._known
