"""Finds the files of a folder that programs of the host obey, inside git directories too.

Nothing is passed over: `.git`, `node_modules` and virtual environments are looked into, since a
repository can stand anywhere. Only names are read, and the few files that matter. A folder of ours
that cannot be listed is made readable: git finds what is in it by name.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from dataagent_core.config.limits import HOST_FILE_BYTES_MAX
from dataagent_core.sandbox.files.path_walk import has_kernel_open, open_by_kernel, open_by_walk
from dataagent_core.sandbox.host_guard.host_files import (
    HostFileSort,
    is_host_file,
    is_ordinary,
    leads_to_entries,
)
from dataagent_core.sandbox.paths.closed_paths import FileIdentity
from dataagent_core.sandbox.paths.protected_paths import fold_name
from dataagent_core.sandbox.paths.tool_paths import PathParts

HostFileRole = Literal[
    "listed",
    "config",
    "modules",
    "commondir",
    "pointer",
    "hook",
    "program",
    "remote",
    "attributes",
    "todo",
]

_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HANDLE = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_IN_GIT_DIRECTORY: Final[Mapping[str, HostFileRole]] = {
    "config": "config",
    "config.worktree": "config",
    "commondir": "commondir",
    "gitdir": "pointer",
    "hooks": "hook",
    "remotes": "remote",
    "branches": "remote",
}
_FOLDERS_IN_GIT_DIRECTORY: Final = frozenset({"hooks", "remotes", "branches"})
_ANYWHERE: Final[Mapping[str, HostFileRole]] = {
    ".git": "pointer",
    ".gitattributes": "attributes",
    ".gitmodules": "modules",
}
_BELOW: Final[Mapping[tuple[str, str], HostFileRole]] = {
    ("info", "attributes"): "attributes",
    ("rebase-merge", "git-rebase-todo"): "todo",
}
_PARENTS: Final = frozenset(parent for parent, _ in _BELOW)
_NOTHING_NAMED: Final[Mapping[PathParts, HostFileRole]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """One such file or link; one that cannot be read or kept has no `content` but a `stamp`."""

    what: HostFileRole
    content: bytes | None
    mode: int
    owner: tuple[int, int]
    is_link: bool = False
    stamp: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class HostFileScan:
    """What was found, by path; `complete` says that no limit was met."""

    files: dict[PathParts, ScannedFile]
    complete: bool = True


def scan_host_files(
    root_fd: int,
    entries_max: int,
    closed: frozenset[FileIdentity] = frozenset(),
    named: Mapping[PathParts, HostFileRole] = _NOTHING_NAMED,
) -> HostFileScan:
    """Find them all, and what is `named` beside. It blocks."""
    files: dict[PathParts, ScannedFile] = {}
    left = entries_max
    folders: list[tuple[PathParts, HostFileRole | None]] = [((), None)]
    while folders:
        base, inside = folders.pop()
        folder = _open_folder(root_fd, base, closed)
        if folder is None:
            continue
        try:
            with os.scandir(folder) as entries:
                found: dict[str, HostFileSort] = {
                    entry.name: _classify_entry(entry) for entry in entries
                }
            left -= len(found)
            if left < 0:
                return HostFileScan(files, complete=False)
            is_git = _is_git_directory(found)
            above = tuple(map(fold_name, base[-2:]))
            quick = not (is_git or named or _is_special(above[-1:]))
            for name, sort in found.items():
                if inside is not None:
                    what = inside
                elif quick and is_ordinary(name):
                    what = None
                else:
                    what = _find_role(above, fold_name(name), sort, is_git=is_git)
                    what = what or _skip_program_folder(named.get((*base, name)), sort)
                if sort == "folder":
                    folders.append(((*base, name), what))
                elif what is not None and (one := _read_file(folder, name, what)) is not None:
                    files[*base, name] = one
        finally:
            os.close(folder)
    return HostFileScan(files)


def _skip_program_folder(what: HostFileRole | None, sort: HostFileSort) -> HostFileRole | None:
    """Leave out a folder that stands where a program was expected."""
    return None if what == "program" and sort == "folder" else what


def _is_git_directory(names: Iterable[str]) -> bool:
    """Say whether git may take a folder for a repository's, or for what several share."""
    folded = set(map(str.lower, names))
    return "head" in folded or {"objects", "refs"} <= folded


def _is_special(parent: PathParts) -> bool:
    """Say whether ordinary names count below a folder."""
    return bool(parent) and (leads_to_entries(parent[0]) or parent[0] in _PARENTS)


def _classify_entry(entry: os.DirEntry[str]) -> HostFileSort:
    if entry.is_symlink():
        return "link"
    return "folder" if entry.is_dir(follow_symlinks=False) else "file"


def _find_role(
    above: PathParts, name: str, sort: HostFileSort, *, is_git: bool
) -> HostFileRole | None:
    """Tell what a folded name is; of a folder, what everything in it is."""
    if is_git and name in _IN_GIT_DIRECTORY:
        is_file = sort != "folder"
        return _IN_GIT_DIRECTORY[name] if is_file or name in _FOLDERS_IN_GIT_DIRECTORY else None
    if sort != "folder" and (
        what := _ANYWHERE.get(name) or _BELOW.get((above[-1] if above else "", name))
    ):
        return what
    return "listed" if is_host_file(above, name, sort) else None


def _open_folder(root_fd: int, parts: PathParts, closed: frozenset[FileIdentity]) -> int | None:
    """Open a folder for listing; None for one that is closed or not there.

    A path that is too long for the kernel is too long for every program that would obey a file.
    """
    opener = open_by_kernel if has_kernel_open() else open_by_walk
    path = "/".join(parts)
    try:
        try:
            folder = opener(root_fd, path, _LIST, follow=False, one_device=False)
        except PermissionError:
            handle = opener(root_fd, path, _HANDLE, follow=False, one_device=False)
            folder = _make_listable(handle)
    except OSError:
        return None  # not ours to read: then no program of this person reads it either
    status = os.fstat(folder)
    if (status.st_dev, status.st_ino) in closed:
        os.close(folder)
        return None
    if not status.st_mode & stat.S_IXUSR:
        # It can be listed, but nothing in it can be opened.
        with suppress(OSError):
            os.fchmod(folder, stat.S_IMODE(status.st_mode) | stat.S_IXUSR)
    return folder


def _make_listable(handle: int) -> int:
    try:
        mode = stat.S_IMODE(os.fstat(handle).st_mode)
        os.chmod(f"/proc/self/fd/{handle}", mode | stat.S_IRUSR | stat.S_IXUSR)  # noqa: PTH101
        return os.open(".", _LIST, dir_fd=handle)
    finally:
        os.close(handle)


def _read_file(folder: int, name: str, what: HostFileRole) -> ScannedFile | None:
    """Read a file or link; None for what is gone, or holds nothing."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        owner = (status.st_uid, status.st_gid)
        if stat.S_ISLNK(status.st_mode):
            target = os.fsencode(os.readlink(name, dir_fd=folder))
            return ScannedFile(what, target, status.st_mode, owner, is_link=True)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    stamp = (status.st_ino, status.st_size, status.st_ctime_ns)
    unread = ScannedFile(what, None, status.st_mode, owner, stamp=stamp)
    if status.st_size > HOST_FILE_BYTES_MAX:
        return unread
    try:
        descriptor = os.open(name, _READ, dir_fd=folder)
    except OSError:
        return unread  # a program can be run without being readable
    with os.fdopen(descriptor, "rb") as file:
        return ScannedFile(what, file.read(HOST_FILE_BYTES_MAX + 1), status.st_mode, owner)
