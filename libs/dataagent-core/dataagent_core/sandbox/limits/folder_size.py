"""How much a directory holds, counted entry by entry.

It goes down and up again with one descriptor at a time, so that a tree a million folders deep costs
no more than a flat one. Going up is checked: when a folder was moved meanwhile the rest of its
branch is left to the next count, and this one is not complete. No link and no other file system is
entered. A file with two names counts its bytes once. Files, folders and links are entries alike:
each takes an inode or a name.
"""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dataagent_core.config.limits import MEASURED_ENTRIES_MAX, MEASURED_SLACK_BYTES

_BLOCK_BYTES = 512
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READABLE = 0o500


@dataclass(frozen=True, slots=True)
class FolderSize:
    """What was counted; not `complete` if a limit was reached, or a folder `moved`."""

    size_bytes: int
    entries: int
    complete: bool
    moved: bool = False


def count_charged_bytes(status: os.stat_result) -> int:
    """Say how many bytes an entry costs: its length, unless it holds on to far more of the disk.

    A folder costs nothing unless it was blown up by names that may be gone again.
    """
    occupied = count_occupied_bytes(status)
    length = 0 if stat.S_ISDIR(status.st_mode) else status.st_size
    return length if occupied <= length + MEASURED_SLACK_BYTES else occupied


def count_occupied_bytes(status: os.stat_result) -> int:
    """Say how many bytes of the disk an entry takes."""
    return status.st_blocks * _BLOCK_BYTES


@dataclass(slots=True)
class _SizeCount:
    left: int
    cost: Callable[[os.stat_result], int]
    since_ns: int
    unlocks: bool
    moved: bool = False
    locked: bool = False
    size_bytes: int = 0
    entries: int = 0
    counted: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def add(self, status: os.stat_result) -> None:
        self.left -= 1
        if status.st_ctime_ns < self.since_ns:
            return
        self.entries += 1
        size_bytes = self.cost(status)
        if status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode):
            identity = (status.st_dev, status.st_ino)
            size_bytes = 0 if identity in self.counted else size_bytes
            self.counted.add(identity)
        self.size_bytes += size_bytes


def measure_folder(
    root_fd: int,
    free_folders: tuple[str, ...] = (),
    entries_max: int = MEASURED_ENTRIES_MAX,
    *,
    cost: Callable[[os.stat_result], int] = count_charged_bytes,
    since_ns: int = 0,
    unlocks: bool = True,
) -> FolderSize:
    """Count what is beneath a directory; the `free_folders` at its top are not counted themselves.

    `root_fd` stays open and where it is. With `since_ns` only what changed since then counts.
    Without `unlocks` a folder that may not be listed stays so, and the count is not complete.
    """
    count = _SizeCount(entries_max, cost, since_ns, unlocks)
    top = os.fstat(root_fd)
    current = os.open(".", _FOLDER, dir_fd=root_fd)
    try:
        trail = [
            _FolderLevel(_identity(top), _count_entries(current, count, top.st_dev, free_folders))
        ]
        while trail and count.left > 0:
            name = next(trail[-1].folders, None)
            if name is not None:
                inner = _enter(current, name, top.st_dev, count)
                if inner is not None:
                    os.close(current)
                    current = inner
                    identity = _identity(os.fstat(inner))
                    trail.append(
                        _FolderLevel(identity, _count_entries(inner, count, top.st_dev, ()))
                    )
                continue
            trail.pop()
            if trail:
                current = _go_up(current, trail, root_fd, count)
    finally:
        os.close(current)
    complete = count.left > 0 and not count.moved and not count.locked
    return FolderSize(count.size_bytes, count.entries, complete, count.moved)


@dataclass(frozen=True, slots=True)
class _FolderLevel:
    identity: tuple[int, int]
    folders: Iterator[str]


def _count_entries(
    folder_fd: int, count: _SizeCount, device: int, free: tuple[str, ...]
) -> Iterator[str]:
    """Count a folder's entries at once, and remember the folders among them."""
    folders: list[str] = []
    with os.scandir(folder_fd) as entries:
        for entry in entries:
            if count.left <= 0:
                break
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # gone by now
            is_folder = stat.S_ISDIR(status.st_mode)
            if is_folder and status.st_dev == device:
                folders.append(entry.name)
            if not (is_folder and entry.name in free):
                count.add(status)
    return iter(folders)


def _enter(folder_fd: int, name: str, device: int, count: _SizeCount) -> int | None:
    try:
        inner = open_folder(folder_fd, name, _READABLE if count.unlocks else 0)
    except PermissionError:
        count.locked |= _read_change_time_ns(folder_fd, name) >= count.since_ns
        return None
    except OSError:
        return None  # gone, or a link by now
    if os.fstat(inner).st_dev == device:
        return inner
    os.close(inner)
    return None


def _read_change_time_ns(folder_fd: int, name: str) -> int:
    try:
        return os.stat(name, dir_fd=folder_fd, follow_symlinks=False).st_ctime_ns
    except OSError:
        return 0


def open_folder(above_fd: int, name: str, needed: int = _READABLE) -> int:
    """Open a folder to list it; a locked one is unlocked first, where we are its owner."""
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=above_fd)
    try:
        mode = stat.S_IMODE(os.fstat(handle).st_mode)
        if mode & needed != needed and os.geteuid() != 0:
            # Through the handle: a link put in its place is not followed.
            Path(f"/proc/self/fd/{handle}").chmod(mode | needed)
        return os.open(".", _FOLDER, dir_fd=handle)
    finally:
        os.close(handle)


def _go_up(folder_fd: int, trail: list[_FolderLevel], root_fd: int, count: _SizeCount) -> int:
    """Go up one folder; from one that was moved, back to the top, skipping what was between."""
    try:
        above = os.open("..", _FOLDER, dir_fd=folder_fd)
    except OSError:
        above = os.open(".", _FOLDER, dir_fd=root_fd)
    os.close(folder_fd)
    if _identity(os.fstat(above)) == trail[-1].identity:
        return above
    os.close(above)
    count.moved = True
    del trail[1:]
    return os.open(".", _FOLDER, dir_fd=root_fd)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
