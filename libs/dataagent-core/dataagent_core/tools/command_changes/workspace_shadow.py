"""The shadow of a workspace: updates the stored contents and returns snapshots.

Only files with a new stamp are read, so an unchanged workspace costs one walk; a file that changed
a moment ago is read again. `.git`, `.dataagent`, `node_modules`, `__pycache__` and virtual
environments are skipped, whatever ignore files say; one that appears or goes is one change. Each
shadow is a private folder in our home; folders unused for long, or too many, are removed when
another is opened. `ContentBudget` limits the files that are read, the bytes of each and the total.
A file is read exactly as it was surveyed, or not at all.
"""

import contextlib
import hashlib
import itertools
import os
import shutil
import stat
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from dataagent_core.config.limits import (
    SHADOW_BATCH_FILES,
    SHADOW_BYTES_MAX,
    SHADOW_ENTRIES_SEEN_MAX,
    SHADOW_FILE_BYTES_MAX,
    SHADOW_FILES_MAX,
    SHADOW_READ_S_MAX,
    SHADOW_SPARE_S,
    SHADOW_STAMP_NS,
    SHADOW_UNSWEPT_BYTES_MAX,
    SHADOW_UNUSED_S_MAX,
    SHADOW_WORKSPACES_MAX,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.files.file_survey import FileStamp, SkipRules, make_stamp, survey_files
from dataagent_core.sandbox.files.open_root import read_in_pieces
from dataagent_core.sandbox.files.path_walk import walk_to_target
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.protected_paths import PROTECTED_DIRECTORIES
from dataagent_core.sandbox.paths.tool_paths import split_path
from dataagent_core.tools.command_changes.content_database import (
    ContentStore,
    SettledFile,
    open_content_database,
)
from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot
from dataagent_core.tools.files.search.ignore_rules import DEFAULT_EXCLUDES


def read_surveyed_content(root: SafeRoot, path: str, stamp: FileStamp) -> bytes | None:
    """Read a file's content; `None` if it cannot be read or changed since the survey."""
    try:
        return (
            _read_link_target(root, path)
            if stat.S_ISLNK(stamp.mode)
            else _read_file(root, path, stamp)
        )
    except (DataAgentError, OSError):
        return None


def _read_file(root: SafeRoot, path: str, stamp: FileStamp) -> bytes | None:
    descriptor = root.open_fd(path)
    try:
        # If links are followed, the name may refer to another file by now.
        if make_stamp(os.fstat(descriptor)) != stamp:
            return None
        data = b"".join(read_in_pieces(descriptor, SHADOW_FILE_BYTES_MAX + 1))
        unchanged = make_stamp(os.fstat(descriptor)) == stamp and len(data) == stamp.size_bytes
        return data if unchanged else None
    finally:
        os.close(descriptor)


def _read_link_target(root: SafeRoot, path: str) -> bytes:
    with walk_to_target(
        root.fileno(),
        split_path(path),
        follow=False,
        one_device=root.links == "refuse",
        follow_last=False,
    ) as place:
        return os.fsencode(os.readlink(place.name, dir_fd=place.directory_fd))


@dataclass(slots=True)
class ContentBudget:
    """What may still be stored in one snapshot."""

    files: int = SHADOW_FILES_MAX
    size_bytes: int = SHADOW_BYTES_MAX

    def takes(self, size_bytes: int) -> bool:
        """Return whether one more file of this size fits, and count it."""
        if size_bytes > min(SHADOW_FILE_BYTES_MAX, self.size_bytes) or self.files <= 0:
            return False
        self.files -= 1
        self.size_bytes -= size_bytes
        return True


KnownStates = dict[str, tuple[FileStamp, FileState]]


@dataclass(frozen=True, slots=True)
class FileRecognition:
    """The known states, the files to read, and the files over budget."""

    states: dict[str, FileState]
    unread: dict[str, FileStamp]
    refused: set[str]

    def keeps(self, path: str) -> bool:
        """Return whether a file's content is, or will be, in the store."""
        return path in self.unread or (path in self.states and path not in self.refused)


@dataclass(slots=True)
class ContentReadResult:
    """The states that were read, those with a settled stamp, and the bytes."""

    states: dict[str, FileState] = field(default_factory=dict[str, FileState])
    known: KnownStates = field(default_factory=KnownStates)
    size_bytes: int = 0


def recognise_files(files: dict[str, FileStamp], known: KnownStates) -> FileRecognition:
    """Compare stamps, in the order of the survey, within the budget. Pure."""
    budget = ContentBudget()
    found = FileRecognition({}, {}, set())
    for path, stamp in files.items():
        if not budget.takes(stamp.size_bytes):
            found.states[path] = FileState.of(stamp, None)
            found.refused.add(path)
            continue
        before = known.get(path)
        if before is not None and before[0] == stamp:
            found.states[path] = before[1]
        else:
            found.unread[path] = stamp
    return found


def read_new_contents(
    root: SafeRoot, unread: dict[str, FileStamp], taken_ns: int, store: ContentStore
) -> ContentReadResult:
    """Read files into the store; those beyond the deadline are read next time."""
    result = ContentReadResult()
    deadline_s = time.monotonic() + SHADOW_READ_S_MAX
    waiting = iter(unread.items())
    while batch := list(itertools.islice(waiting, SHADOW_BATCH_FILES)):
        contents: dict[str, bytes] = {}
        settled: dict[str, SettledFile] = {}
        for path, stamp in batch:
            late = time.monotonic() > deadline_s
            data = None if late else read_surveyed_content(root, path, stamp)
            sha256 = None if data is None else hashlib.sha256(data).hexdigest()
            result.states[path] = FileState.of(stamp, sha256)
            if data is not None and sha256 is not None:
                contents[sha256] = data
                result.size_bytes += len(data)
                if stamp.changed_ns < taken_ns - SHADOW_STAMP_NS:
                    settled[path] = SettledFile(stamp, sha256)
        store.keep(contents, settled)
        result.known |= {path: (kept.stamp, result.states[path]) for path, kept in settled.items()}
    return result


_OWNER_ONLY = 0o700


def open_shadow_folder(shadows: Path, workspace: Path) -> Path:
    """Create the private folder of one workspace, and mark it as used."""
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


# Written by `python -m venv` and similar tools.
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"


def make_skip_rules(root: SafeRoot) -> SkipRules:
    """Return what is skipped beneath a root: also our own home, if it is there."""
    return SkipRules(
        names=frozenset({*DEFAULT_EXCLUDES, *PROTECTED_DIRECTORIES}),
        holding=frozenset({_VIRTUAL_ENVIRONMENT}),
        identities=root.closed,
    )


# Returns a content by its hash; `None` if it was dropped meanwhile.
ReadContent = Callable[[str], bytes | None]


class WorkspaceShadow:
    """Takes snapshots of a workspace; its store is a folder below `shadows`. Blocks."""

    def __init__(self, root: SafeRoot, shadows: Path) -> None:
        self._root = root
        self._shadows = shadows
        self._folder: Path | None = None
        self._known: KnownStates | None = None
        # The maximum, because an earlier process may have left much to sweep.
        self._unswept_bytes = SHADOW_UNSWEPT_BYTES_MAX
        self._lock = RLock()

    def look(self) -> WorkspaceSnapshot:
        """Update the shadow and return a snapshot of the workspace."""
        with self._lock:
            taken_ns = time.time_ns()
            skipped = make_skip_rules(self._root)
            surveyed = survey_files(self._root, skipped, entries_max=SHADOW_ENTRIES_SEEN_MAX)
            known = self._load_known()
            seen = recognise_files(surveyed.files, known)
            states = seen.states
            forgotten = {path for path in known if not seen.keeps(path)}
            if seen.unread or forgotten:
                states |= self._read_changes(seen.unread, taken_ns, forgotten)
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
                    # The store was removed: the known states are no longer valid.
                    self._known = {}
                return data

            yield content

    @contextlib.contextmanager
    def store(self) -> Generator[ContentStore]:
        """Open the store for other tables in it."""
        with open_content_database(self.folder()) as store:
            yield store

    def folder(self) -> Path:
        if self._folder is None or not self._folder.is_dir():
            self._folder = open_shadow_folder(self._shadows, self._root.path)
        return self._folder

    def _read_changes(
        self, unread: dict[str, FileStamp], taken_ns: int, forgotten: set[str]
    ) -> dict[str, FileState]:
        known = self._load_known()
        with open_content_database(self.folder()) as store:
            # First, so that contents this snapshot replaces can still be compared with.
            if self._unswept_bytes >= SHADOW_UNSWEPT_BYTES_MAX:
                store.sweep()
                self._unswept_bytes = 0
            result = read_new_contents(self._root, unread, taken_ns, store)
            stale = forgotten | (unread.keys() & known.keys()) - result.known.keys()
            store.forget(stale)
            self._unswept_bytes += result.size_bytes
        for path in stale:
            del known[path]
        known |= result.known
        return result.states

    def _load_known(self) -> KnownStates:
        if self._known is None:
            with open_content_database(self.folder()) as store:
                self._known = {
                    path: (found.stamp, FileState.of(found.stamp, found.sha256))
                    for path, found in store.index().items()
                }
        return self._known
