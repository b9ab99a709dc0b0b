"""Restores the earlier content of a name in an open directory.

The present content is read first, and replaced only if the caller expects it; its version is
compared once more just before the change. A file or link is written completely or not at all.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.config.limits import SHADOW_FILE_BYTES_MAX
from dataagent_core.config.limits.history import REWIND_FOLDERS_CLEARED_MAX
from dataagent_core.errors import ConflictError, LimitReachedError
from dataagent_core.sandbox.files.file_node import make_node
from dataagent_core.sandbox.files.file_write import (
    ExpectedVersion,
    put_file,
    put_link,
    read_node,
    remove_file,
)
from dataagent_core.sandbox.files.open_root import read_in_pieces
from dataagent_core.sandbox.files.path_walk import PathTarget
from dataagent_core.sandbox.paths.tool_paths import format_path

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class StoredContent:
    """What a name holds: a file's content, or a link's target; `mode` tells which."""

    data: bytes
    mode: int


@dataclass(frozen=True, slots=True)
class CurrentContent:
    """What a name holds now; no `data` means that it is too large to be compared."""

    data: bytes | None
    mode: int
    size_bytes: int
    changed_ns: int


IsExpected = Callable[[CurrentContent | None], bool]


def restore_content(
    target: PathTarget, wanted: StoredContent | None, is_expected: IsExpected
) -> None:
    """Restore what is wanted, or remove the name, if the present content is expected."""
    if wanted is not None:
        _clear_folder(target)
    found, version = _read_current(target)
    if not is_expected(found):
        raise ConflictError(
            f"{format_path(target.parts)!r} was changed by someone else just now, so it was not "
            "put back."
        )
    if wanted is None:
        remove_file(target, version)
    elif stat.S_ISLNK(wanted.mode):
        put_link(target, wanted.data, version)
    else:
        before = read_node(target)
        owned = before if before is not None and before.kind == "file" else None
        put_file(target, wanted.data, version, before=owned, mode=wanted.mode)


def _read_current(target: PathTarget) -> tuple[CurrentContent | None, ExpectedVersion]:
    try:
        status = os.stat(target.name, dir_fd=target.directory_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None, "absent"
    data: bytes | None = None
    if stat.S_ISLNK(status.st_mode):
        data = os.readlink(os.fsencode(target.name), dir_fd=target.directory_fd)
    elif stat.S_ISREG(status.st_mode) and status.st_size <= SHADOW_FILE_BYTES_MAX:
        data = _read_content(target)
    found = CurrentContent(data, status.st_mode, status.st_size, status.st_ctime_ns)
    return found, make_node(status).version


def _read_content(target: PathTarget) -> bytes | None:
    descriptor = os.open(target.name, _READ, dir_fd=target.directory_fd)
    try:
        data = b"".join(read_in_pieces(descriptor, SHADOW_FILE_BYTES_MAX + 1))
    finally:
        os.close(descriptor)
    return data if len(data) <= SHADOW_FILE_BYTES_MAX else None


def _clear_folder(target: PathTarget) -> None:
    """Remove a folder in the way of a file if nothing but empty folders is in it."""
    node = read_node(target)
    if node is None or node.kind != "dir":
        return
    left = [REWIND_FOLDERS_CLEARED_MAX]
    _remove_empty(target.directory_fd, target.name, left)


def _remove_empty(directory_fd: int, name: str, left: list[int]) -> None:
    left[0] -= 1
    if left[0] < 0:
        raise LimitReachedError(
            f"more than {REWIND_FOLDERS_CLEARED_MAX} folders are in the way of a file. "
            "Remove them yourself, then rewind again."
        )
    descriptor = os.open(name, _FOLDER, dir_fd=directory_fd)
    try:
        with os.scandir(descriptor) as entries:
            folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        for folder in folders:
            _remove_empty(descriptor, folder, left)
    finally:
        os.close(descriptor)
    # Refuses a folder in which something is left.
    os.rmdir(name, dir_fd=directory_fd)
