"""Finds files whose content is not known yet and reads them, within a budget.

`ContentBudget` limits the number of files, the bytes of each and the total. A file is read exactly
as it was surveyed, or not at all.
"""

import hashlib
import itertools
import os
import stat
import time
from dataclasses import dataclass, field

from dataagent_core.config.limits import (
    SHADOW_BATCH_FILES,
    SHADOW_BYTES_MAX,
    SHADOW_FILE_BYTES_MAX,
    SHADOW_FILES_MAX,
    SHADOW_READ_S_MAX,
    SHADOW_STAMP_NS,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.files.file_survey import FileStamp, make_stamp
from dataagent_core.sandbox.files.open_root import read_in_pieces
from dataagent_core.sandbox.files.path_walk import walk_to_target
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import split_path
from dataagent_core.tools.command_changes.content_store import ContentStore, IndexEntry
from dataagent_core.tools.command_changes.workspace_snapshot import FileState


def read_surveyed_content(root: SafeRoot, path: str, stamp: FileStamp) -> bytes | None:
    """Give a file's content; `None` if it cannot be read or is no longer what was surveyed."""
    try:
        return _target(root, path) if stat.S_ISLNK(stamp.mode) else _content(root, path, stamp)
    except (DataAgentError, OSError):
        return None


def _content(root: SafeRoot, path: str, stamp: FileStamp) -> bytes | None:
    descriptor = root.open_fd(path)
    try:
        # Where links are followed, another file may stand behind the name by now.
        if make_stamp(os.fstat(descriptor)) != stamp:
            return None
        data = b"".join(read_in_pieces(descriptor, SHADOW_FILE_BYTES_MAX + 1))
        unchanged = make_stamp(os.fstat(descriptor)) == stamp and len(data) == stamp.size_bytes
        return data if unchanged else None
    finally:
        os.close(descriptor)


def _target(root: SafeRoot, path: str) -> bytes:
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
    """What is left to be kept in one look."""

    files: int = SHADOW_FILES_MAX
    size_bytes: int = SHADOW_BYTES_MAX

    def takes(self, size_bytes: int) -> bool:
        """Say whether one more file of this size is kept, and count it."""
        if size_bytes > min(SHADOW_FILE_BYTES_MAX, self.size_bytes) or self.files <= 0:
            return False
        self.files -= 1
        self.size_bytes -= size_bytes
        return True


KnownStates = dict[str, tuple[FileStamp, FileState]]


@dataclass(frozen=True, slots=True)
class FileRecognition:
    """The states that are known, the files to read, and those that are only measured."""

    states: dict[str, FileState]
    unread: dict[str, FileStamp]
    refused: set[str]

    def keeps(self, path: str) -> bool:
        """Say whether a file's content is, or will be, in the store."""
        return path in self.unread or (path in self.states and path not in self.refused)


@dataclass(slots=True)
class ContentReadResult:
    """What was read: the states, those of them that will be known by their stamp, the bytes."""

    states: dict[str, FileState] = field(default_factory=dict[str, FileState])
    known: KnownStates = field(default_factory=KnownStates)
    size_bytes: int = 0


def recognise_files(files: dict[str, FileStamp], known: KnownStates) -> FileRecognition:
    """Compare stamps, in the order of the survey, until there is no more to be kept. Pure."""
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
    """Read files into the store; what there is no time for is measured, and read next time."""
    taken = ContentReadResult()
    deadline_s = time.monotonic() + SHADOW_READ_S_MAX
    waiting = iter(unread.items())
    while batch := list(itertools.islice(waiting, SHADOW_BATCH_FILES)):
        contents: dict[str, bytes] = {}
        settled: dict[str, IndexEntry] = {}
        for path, stamp in batch:
            late = time.monotonic() > deadline_s
            data = None if late else read_surveyed_content(root, path, stamp)
            sha256 = None if data is None else hashlib.sha256(data).hexdigest()
            taken.states[path] = FileState.of(stamp, sha256)
            if data is not None and sha256 is not None:
                contents[sha256] = data
                taken.size_bytes += len(data)
                if stamp.changed_ns < taken_ns - SHADOW_STAMP_NS:
                    settled[path] = IndexEntry(stamp, sha256)
        store.keep(contents, settled)
        taken.known |= {path: (kept.stamp, taken.states[path]) for path, kept in settled.items()}
    return taken
