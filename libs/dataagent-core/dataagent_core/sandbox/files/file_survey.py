"""Lists every file beneath a root with its `stat` data, the shallow ones first.

Directories are opened through the root, and only if they are still the ones that were listed, so
a directory that becomes a link meanwhile is not entered. Nothing is read. Links are named with
their own status; pipes, sockets and devices are left out.
"""

import os
import stat
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from dataagent_core.config.limits import WALK_DEEP_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.files.safe_root import SafeRoot


class FileStamp(NamedTuple):
    """Tells one state of a file from every other, except changes within a tick of the clock."""

    device: int
    inode: int
    size_bytes: int
    modified_ns: int
    changed_ns: int
    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipRules:
    """Directories that are not looked into: by name, by a file they hold, by identity."""

    names: frozenset[str] = frozenset()
    holding: frozenset[str] = frozenset()
    identities: frozenset[tuple[int, int]] = frozenset()

    def skips_directory(self, name: str, stamp: FileStamp) -> bool:
        """Say whether to skip a directory, before it is opened."""
        return name in self.names or (stamp.device, stamp.inode) in self.identities


@dataclass(frozen=True, slots=True)
class FileSurvey:
    """The files by path; `passed_over` and `unreadable` are directories that were not entered."""

    files: dict[str, FileStamp]
    passed_over: frozenset[str]
    unreadable: frozenset[str]
    complete: bool


def make_stamp(status: os.stat_result) -> FileStamp:
    """Take from `stat` what identifies a state."""
    return FileStamp(
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_mode,
    )


def survey_files(root: SafeRoot, skipped: SkipRules, *, entries_max: int) -> FileSurvey:
    """List everything beneath a root, breadth first; a limit leaves out what is deepest."""
    files: dict[str, FileStamp] = {}
    passed_over: set[str] = set()
    unreadable: set[str] = set()
    todo = deque([("", make_stamp(os.fstat(root.fileno())))])
    left = entries_max
    while todo and left > 0:
        folder, expected = todo.popleft()
        entries = _list_entries(root, folder, expected, left)
        if entries is None:
            unreadable.add(folder)
            continue
        left -= len(entries)
        if folder and not skipped.holding.isdisjoint(entries):
            passed_over.add(folder)
            continue
        for name, stamp in entries.items():
            path = f"{folder}/{name}"
            if stat.S_ISREG(stamp.mode) or stat.S_ISLNK(stamp.mode):
                files[path] = stamp
            elif stat.S_ISDIR(stamp.mode):
                if skipped.skips_directory(name, stamp):
                    passed_over.add(path)
                else:
                    todo.append((path, stamp))
    return FileSurvey(files, frozenset(passed_over), frozenset(unreadable), complete=left > 0)


def _list_entries(
    root: SafeRoot, folder: str, expected: FileStamp, entries_max: int
) -> dict[str, FileStamp] | None:
    """List one directory; `None` if it cannot be, or is another one by now."""
    if folder.count("/") > WALK_DEEP_MAX:
        return None
    try:
        descriptor = root.open_directory(folder or "/")
    except DataAgentError:
        return None
    try:
        found = os.fstat(descriptor)
        if (found.st_dev, found.st_ino) != (expected.device, expected.inode):
            return None
        return _list_stamps(descriptor, entries_max)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _list_stamps(descriptor: int, entries_max: int) -> dict[str, FileStamp]:
    stamps: dict[str, FileStamp] = {}
    with os.scandir(descriptor) as entries:
        for entry in entries:
            try:
                stamps[entry.name] = make_stamp(entry.stat(follow_symlinks=False))
            except OSError:
                continue  # gone meanwhile
            if len(stamps) >= entries_max:
                break
    return stamps
