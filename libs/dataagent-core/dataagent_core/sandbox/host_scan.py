"""Finds the files of a workspace that programs of the host obey, inside git directories too.

Nothing is passed over: `.git`, `node_modules` and virtual environments are looked into, since a
repository can stand anywhere. Only names are read, and the few files that matter.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dataagent_core.config.limits import HOST_FILE_BYTES_MAX, HOST_SCAN_ENTRIES_MAX, WALK_DEEP_MAX
from dataagent_core.sandbox.closed_places import Identity
from dataagent_core.sandbox.host_files import entry_of, is_folder
from dataagent_core.sandbox.protected import folded_name
from dataagent_core.sandbox.safe_paths import Parts

What = Literal["listed", "config", "commondir", "pointer", "hook", "attributes"]

_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_IN_GIT_DIRECTORY: dict[str, What] = {
    "config": "config",
    "config.worktree": "config",
    "commondir": "commondir",
    "gitdir": "pointer",
    "hooks": "hook",
}


@dataclass(frozen=True, slots=True)
class Found:
    """One such file or link; one that is too large to keep has no `content` but a `stamp`."""

    what: What
    content: bytes | None
    mode: int
    owner: tuple[int, int]
    is_link: bool = False
    stamp: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was found, by path; `complete` says that no limit was met."""

    files: dict[Parts, Found]
    complete: bool = True


def scan(root_fd: int, closed: frozenset[Identity] = frozenset()) -> Scanned:
    """Find them all. It blocks."""
    left = [HOST_SCAN_ENTRIES_MAX]
    root = os.open(".", _LIST, dir_fd=root_fd)
    try:
        files = dict(_scan(root, (), closed, left, None))
    finally:
        os.close(root)
    return Scanned(files, complete=left[0] > 0)


def _scan(
    folder: int, base: Parts, closed: frozenset[Identity], left: list[int], inside: What | None
) -> Iterator[tuple[Parts, Found]]:
    with os.scandir(folder) as entries:
        found = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
    left[0] -= len(found)
    is_git = "HEAD" in found
    parent = base[-1] if base else ""
    for name, is_a_folder in found.items():
        parts = (*base, name)
        what = inside or _kind(parent, name, is_git=is_git, of_folder=is_a_folder)
        if not is_a_folder:
            if what is not None and (one := _read(folder, name, what)) is not None:
                yield parts, one
            continue
        if len(parts) > WALK_DEEP_MAX:
            left[0] = 0
        if left[0] <= 0:
            continue
        try:
            inner = os.open(name, _LIST, dir_fd=folder)
        except OSError:
            continue  # gone, forbidden, or a link by now
        try:
            status = os.fstat(inner)
            if (status.st_dev, status.st_ino) not in closed:
                yield from _scan(inner, parts, closed, left, what)
        finally:
            os.close(inner)


def _kind(parent: str, name: str, *, is_git: bool, of_folder: bool) -> What | None:
    """Tell what a name is; of a folder, what everything in it is."""
    folded = folded_name(name)
    if is_git and folded in _IN_GIT_DIRECTORY:
        what = _IN_GIT_DIRECTORY[folded]
        return what if what == "hook" or not of_folder else None
    entry = entry_of(parent, name)
    if entry is not None:
        return "listed" if is_folder(entry) or not of_folder else None
    if of_folder:
        return None
    if folded == ".git":
        return "pointer"
    if folded == ".gitattributes" or (folded == "attributes" and parent == "info"):
        return "attributes"
    return None


def _read(folder: int, name: str, what: What) -> Found | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        owner = (status.st_uid, status.st_gid)
        if stat.S_ISLNK(status.st_mode):
            target = os.fsencode(os.readlink(name, dir_fd=folder))
            return Found(what, target, status.st_mode, owner, is_link=True)
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > HOST_FILE_BYTES_MAX:
            stamp = (status.st_ino, status.st_size, status.st_ctime_ns)
            return Found(what, None, status.st_mode, owner, stamp=stamp)
        descriptor = os.open(name, _READ, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            content = file.read(HOST_FILE_BYTES_MAX + 1)
        return Found(what, content, status.st_mode, owner)
    except OSError:
        return None  # gone, or not ours to read: then no program of this person reads it either
