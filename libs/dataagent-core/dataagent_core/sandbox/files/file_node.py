"""Metadata of files and directories, and directory listings. Links are listed, never followed."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from dataagent_core.config.limits import WALK_DEEP_MAX, WALK_ENTRIES_MAX
from dataagent_core.sandbox.paths.closed_paths import FileIdentity
from dataagent_core.sandbox.paths.protected_paths import read_entry_identity
from dataagent_core.sandbox.paths.tool_paths import PathParts

NodeKind = Literal["file", "dir", "link", "other"]


@dataclass(frozen=True, slots=True)
class FileVersion:
    """Tells one state of a file from another without reading it."""

    device: int
    inode: int
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class FileNode:
    """A file or directory as `stat` sees it."""

    kind: NodeKind
    mode: int
    links: int
    version: FileVersion

    @property
    def size_bytes(self) -> int:
        return self.version.size_bytes

    @property
    def mtime_ns(self) -> int:
        return self.version.mtime_ns


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """A name in a directory; a link that leads nowhere allowed is of kind `link`."""

    name: str
    kind: NodeKind
    size_bytes: int
    mtime_ns: int


def make_node(status: os.stat_result) -> FileNode:
    """Read the parts of `stat` that matter here."""
    return FileNode(
        kind=classify_mode(status.st_mode),
        mode=stat.S_IMODE(status.st_mode),
        links=status.st_nlink,
        version=FileVersion(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns),
    )


def classify_mode(mode: int) -> NodeKind:
    """Name what a mode describes."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "dir"
    return "link" if stat.S_ISLNK(mode) else "other"


# Asked for every entry: is it wanted, and if it is a directory, is it entered?
WalkFilter = Callable[[PathParts, NodeKind], bool]
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class WalkResult:
    """The files found, in order of their paths' bytes; `complete` says that no limit was met."""

    files: tuple[PathParts, ...]
    complete: bool


def list_directory(directory_fd: int) -> list[tuple[str, NodeKind]]:
    """List a directory in byte order of names, without following anything."""
    with os.scandir(directory_fd) as entries:
        found: dict[str, NodeKind] = {
            entry.name: _classify_entry(entry) for entry in islice(entries, WALK_ENTRIES_MAX)
        }
    return sorted(found.items(), key=lambda pair: os.fsencode(pair[0]))


def walk_files(
    directory_fd: int,
    base: PathParts,
    wanted: WalkFilter,
    *,
    one_device: bool,
    entries_max: int = WALK_ENTRIES_MAX,
    closed: frozenset[FileIdentity] = frozenset(),
) -> WalkResult:
    """Find the regular files beneath a directory, past what is closed."""
    device = os.fstat(directory_fd).st_dev if one_device else None
    files: list[PathParts] = []
    for seen, (parts, kind) in enumerate(
        _walk(directory_fd, base, wanted, device, closed=closed), 1
    ):
        if seen > entries_max:
            return WalkResult(tuple(files), complete=False)
        if kind == "file":
            files.append(parts)
    return WalkResult(tuple(files), complete=True)


def _walk(
    directory_fd: int,
    base: PathParts,
    wanted: WalkFilter,
    device: int | None,
    *,
    closed: frozenset[FileIdentity],
    deep: int = 0,
) -> Iterator[tuple[PathParts, NodeKind]]:
    for name, kind in list_directory(directory_fd):
        parts = (*base, name)
        if not wanted(parts, kind) or (
            closed and read_entry_identity(directory_fd, name) in closed
        ):
            continue
        yield parts, kind
        if kind != "dir" or deep >= WALK_DEEP_MAX:
            continue
        try:
            inner = os.open(name, _LIST, dir_fd=directory_fd)
        except OSError:
            continue  # gone, forbidden, or a link by now
        try:
            if device is None or os.fstat(inner).st_dev == device:
                yield from _walk(inner, parts, wanted, device, closed=closed, deep=deep + 1)
        finally:
            os.close(inner)


def _classify_entry(entry: os.DirEntry[str]) -> NodeKind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "dir"
    if entry.is_file(follow_symlinks=False):
        return "file"
    return "other"
