"""Removes directory trees, also hostile ones: deep, wide, full of links, locked.

What is to go is first renamed into the trash, a folder of ours beside the workspaces, so it is gone
for everyone at once; whatever is in the trash after a crash is removed by the sweeper. What lies
deeper than a few dozen folders is lifted up into the trash itself, so no depth is ever held open.
Links are removed, never followed.
"""

import errno
import os
import secrets
import stat
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice

from dataagent_core.config.limits import REMOVED_DEEP_MAX, REMOVED_PASSES_MAX, THROWN_S
from dataagent_core.sandbox.limits.folder_size import count_charged_bytes, open_folder

_OWNER_ONLY = 0o700


@dataclass(frozen=True, slots=True)
class RemovalResult:
    """How much was removed; files, folders and links are entries alike."""

    size_bytes: int = 0
    entries: int = 0

    def __add__(self, other: "RemovalResult") -> "RemovalResult":
        return RemovalResult(self.size_bytes + other.size_bytes, self.entries + other.entries)


def move_to_trash(folder_fd: int, name: str, trash_fd: int) -> str:
    """Move an entry into the trash under a new name; raises `OSError`."""
    new_name = secrets.token_hex(16)
    _move_entry(folder_fd, name, trash_fd, new_name)
    return new_name


def remove_from_trash(trash_fd: int, name: str) -> RemovalResult:
    """Remove an entry of the trash with all beneath it; say how much that was."""
    removed = RemovalResult()
    todo = [name]
    passes = 0
    while todo:
        current = todo.pop()
        try:
            removed += _remove_entry(trash_fd, current, todo)
        except FileNotFoundError:
            continue  # another process empties the trash too
        except OSError as error:
            # A program that still runs in it made something meanwhile.
            passes += 1
            if error.errno != errno.ENOTEMPTY or passes > REMOVED_PASSES_MAX:
                raise
            todo.insert(0, current)
    return removed


def empty_trash(trash_fd: int, entries_max: int) -> int:
    """Remove what earlier removals left; give how many entries there were.

    Recent entries are left to whoever moved them there: they count what they free.
    """
    with os.scandir(trash_fd) as entries:
        names = [entry.name for entry in islice(entries, entries_max) if _is_old(entry)]
    for name in names:
        with suppress(OSError):
            remove_from_trash(trash_fd, name)
    return len(names)


def _is_old(entry: os.DirEntry[str]) -> bool:
    try:
        return time.time() - entry.stat(follow_symlinks=False).st_ctime > THROWN_S
    except OSError:
        return False


def _remove_entry(trash_fd: int, name: str, todo: list[str]) -> RemovalResult:
    status = os.stat(name, dir_fd=trash_fd, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(name, dir_fd=trash_fd)
        return _count_freed(status)
    removed = RemovalResult()
    with ExitStack() as stack:
        trail = [_RemovalFolder(trash_fd, name, stack)]
        while trail:
            folder = trail[-1]
            removed += folder.unlink_files()
            inner = folder.folders.pop() if folder.folders else None
            if inner is None:
                os.rmdir(folder.name, dir_fd=folder.above_fd)
                removed += RemovalResult(0, 1)
                trail.pop().close()
            elif len(trail) >= REMOVED_DEEP_MAX:
                todo.append(move_to_trash(folder.descriptor, inner, trash_fd))
            else:
                trail.append(_RemovalFolder(folder.descriptor, inner, stack))
    return removed


class _RemovalFolder:
    """A folder that is being emptied."""

    def __init__(self, above_fd: int, name: str, stack: ExitStack) -> None:
        self.above_fd = above_fd
        self.name = name
        self.descriptor = open_folder(above_fd, name, _OWNER_ONLY)
        self._closing = stack.enter_context(ExitStack())
        self._closing.callback(os.close, self.descriptor)
        with os.scandir(self.descriptor) as found:
            entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        self.folders = [name for name, is_folder in entries if is_folder]
        self._files = [name for name, is_folder in entries if not is_folder]

    def unlink_files(self) -> RemovalResult:
        """Remove the files that were found in it."""
        removed = RemovalResult()
        while self._files:
            name = self._files.pop()
            with suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
                os.unlink(name, dir_fd=self.descriptor)
                removed += _count_freed(status)
        return removed

    def close(self) -> None:
        """Close it."""
        self._closing.close()


def _count_freed(status: os.stat_result) -> RemovalResult:
    # The bytes of a file with another name are still there.
    return RemovalResult(count_charged_bytes(status) if status.st_nlink == 1 else 0, 1)


def _move_entry(folder_fd: int, name: str, trash_fd: int, new_name: str) -> None:
    try:
        os.rename(name, new_name, src_dir_fd=folder_fd, dst_dir_fd=trash_fd)
    except PermissionError:
        # To move a folder one must be allowed to write it: its `..` changes.
        os.close(open_folder(folder_fd, name, _OWNER_ONLY))
        os.rename(name, new_name, src_dir_fd=folder_fd, dst_dir_fd=trash_fd)
