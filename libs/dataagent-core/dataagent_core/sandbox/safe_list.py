"""What is in a directory, and in everything beneath it. Links are named, never entered."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from dataagent_core.config.limits import WALK_DEEP_MAX, WALK_ENTRIES_MAX
from dataagent_core.sandbox.closed_places import Identity
from dataagent_core.sandbox.protected import identity_at
from dataagent_core.sandbox.safe_node import Kind
from dataagent_core.sandbox.safe_paths import Parts

# Asked for every entry: is it wanted, and if it is a directory, is it entered?
Wanted = Callable[[Parts, Kind], bool]

_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class Walked:
    """The files found, in order of their paths' bytes; `complete` says that no limit was met."""

    files: tuple[Parts, ...]
    complete: bool


def names_and_kinds(directory_fd: int) -> list[tuple[str, Kind]]:
    """List a directory in byte order of names, without following anything."""
    with os.scandir(directory_fd) as entries:
        found: dict[str, Kind] = {
            entry.name: _kind(entry) for entry in islice(entries, WALK_ENTRIES_MAX)
        }
    return sorted(found.items(), key=lambda pair: os.fsencode(pair[0]))


def walk_files(
    directory_fd: int,
    base: Parts,
    wanted: Wanted,
    *,
    one_device: bool,
    entries_max: int = WALK_ENTRIES_MAX,
    closed: frozenset[Identity] = frozenset(),
) -> Walked:
    """Find the regular files beneath a directory, past what is closed."""
    device = os.fstat(directory_fd).st_dev if one_device else None
    files: list[Parts] = []
    for seen, (parts, kind) in enumerate(
        _walk(directory_fd, base, wanted, device, closed=closed), 1
    ):
        if seen > entries_max:
            return Walked(tuple(files), complete=False)
        if kind == "file":
            files.append(parts)
    return Walked(tuple(files), complete=True)


def _walk(
    directory_fd: int,
    base: Parts,
    wanted: Wanted,
    device: int | None,
    *,
    closed: frozenset[Identity],
    deep: int = 0,
) -> Iterator[tuple[Parts, Kind]]:
    for name, kind in names_and_kinds(directory_fd):
        parts = (*base, name)
        if not wanted(parts, kind) or (closed and identity_at(directory_fd, name) in closed):
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


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "dir"
    if entry.is_file(follow_symlinks=False):
        return "file"
    return "other"
