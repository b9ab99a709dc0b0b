"""What is known of a file or directory without reading it."""

import os
import stat
from dataclasses import dataclass
from typing import Literal

Kind = Literal["file", "dir", "link", "other"]


@dataclass(frozen=True, slots=True)
class Version:
    """Tells one state of a file from another without reading it."""

    device: int
    inode: int
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Node:
    """A file or directory as `stat` sees it."""

    kind: Kind
    mode: int
    links: int
    version: Version

    @property
    def size_bytes(self) -> int:
        return self.version.size_bytes

    @property
    def mtime_ns(self) -> int:
        return self.version.mtime_ns


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a directory; a link that leads nowhere allowed is of kind `link`."""

    name: str
    kind: Kind
    size_bytes: int
    mtime_ns: int


def node_of(status: os.stat_result) -> Node:
    """Read the parts of `stat` that matter here."""
    return Node(
        kind=kind_of(status.st_mode),
        mode=stat.S_IMODE(status.st_mode),
        links=status.st_nlink,
        version=Version(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns),
    )


def kind_of(mode: int) -> Kind:
    """Name what a mode describes."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "dir"
    return "link" if stat.S_ISLNK(mode) else "other"
