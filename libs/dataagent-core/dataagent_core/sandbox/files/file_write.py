"""Changes an open directory: a file is written completely or not at all.

The new content goes into a temporary file beside the old one, reaches the disk, and takes the
name by rename. So a reader never sees half a file, and a hard link elsewhere keeps the old content.
"""

import contextlib
import os
import secrets
from typing import Literal

from dataagent_core.errors import (
    ConflictError,
    DataAgentError,
    PathEscapeError,
    ValidationError,
)
from dataagent_core.sandbox.files.file_node import FileNode, FileVersion, make_node
from dataagent_core.sandbox.files.path_walk import PathTarget
from dataagent_core.sandbox.paths.tool_paths import format_path

# What a write expects to replace: that version, no file at all, or whatever is there.
ExpectedVersion = FileVersion | Literal["absent"] | None

_NEW_FILE_MODE = 0o666


def read_node(target: PathTarget) -> FileNode | None:
    """Read the metadata of a target, without following a link."""
    try:
        return make_node(os.stat(target.name, dir_fd=target.directory_fd, follow_symlinks=False))
    except FileNotFoundError:
        return None


def replace_file(
    target: PathTarget, data: bytes, expected: ExpectedVersion, *, one_link: bool
) -> None:
    """Write a whole file; an existing one keeps its permissions and owner."""
    before = _check_replaceable(target, one_link=one_link)
    put_file(target, data, expected, before=before, mode=None)


def put_file(
    target: PathTarget,
    data: bytes,
    expected: ExpectedVersion,
    *,
    before: FileNode | None,
    mode: int | None,
) -> None:
    """Write a whole file; it gets the owner of `before` and, without a `mode`, its mode."""
    temporary = f".dataagent-{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, _NEW_FILE_MODE, dir_fd=target.directory_fd)
    try:
        try:
            _write_all(descriptor, data)
            if before is not None:
                _copy_owner_and_mode(descriptor, target, before)
            if mode is not None:
                os.fchmod(descriptor, mode & 0o777)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _rename_temporary(target, temporary, expected)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=target.directory_fd)
        raise


def put_link(target: PathTarget, link_target: bytes, expected: ExpectedVersion) -> None:
    """Create a link, whatever it leads to: nothing follows it here."""
    temporary = f".dataagent-{secrets.token_hex(8)}.tmp"
    os.symlink(link_target, os.fsencode(temporary), dir_fd=target.directory_fd)
    try:
        _rename_temporary(target, temporary, expected)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=target.directory_fd)
        raise


def adopt_file(
    target: PathTarget, folder_fd: int, name: str, expected: ExpectedVersion, *, one_link: bool
) -> None:
    """Move a finished file of ours to its target."""
    _check_replaceable(target, one_link=one_link)
    _refuse_if_changed(target, expected)
    os.rename(name, target.name, src_dir_fd=folder_fd, dst_dir_fd=target.directory_fd)
    _sync_directory(target)


def remove_file(target: PathTarget, expected: ExpectedVersion = None) -> None:
    """Remove a name; what a link points to, and the file's other names, stay."""
    _refuse_if_changed(target, expected)
    os.unlink(target.name, dir_fd=target.directory_fd)
    _sync_directory(target)


def make_not_plain_error(node: FileNode, path: str) -> DataAgentError:
    """Say why something that is no regular file with a single name cannot be used as one."""
    if node.kind == "dir":
        return ValidationError(f"{path!r} is a directory, not a file. Use ls for directories.")
    if node.kind != "file":
        return PathEscapeError(
            f"{path!r} is refused: it is a link, device, socket or pipe. Name a regular file."
        )
    return PathEscapeError(
        f"{path!r} is refused: it has {node.links} hard links, and one may be outside the "
        "workspace. Copy it to a new file first."
    )


def _check_replaceable(target: PathTarget, *, one_link: bool) -> FileNode | None:
    before = read_node(target)
    if before is not None and (before.kind != "file" or (one_link and before.links != 1)):
        raise make_not_plain_error(before, format_path(target.parts))
    return before


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _copy_owner_and_mode(descriptor: int, target: PathTarget, before: FileNode) -> None:
    owner = os.stat(target.name, dir_fd=target.directory_fd, follow_symlinks=False)
    if (owner.st_uid, owner.st_gid) != (os.geteuid(), os.getegid()):
        # Only a privileged process may; for anyone else the file becomes their own.
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    os.fchmod(descriptor, before.mode & 0o777)


def _rename_temporary(target: PathTarget, temporary: str, expected: ExpectedVersion) -> None:
    _refuse_if_changed(target, expected)
    os.rename(
        temporary, target.name, src_dir_fd=target.directory_fd, dst_dir_fd=target.directory_fd
    )
    _sync_directory(target)


def _refuse_if_changed(target: PathTarget, expected: ExpectedVersion) -> None:
    if expected is None:
        return
    now = read_node(target)
    if (now.version if now else "absent") != expected:
        raise ConflictError(
            f"{format_path(target.parts)!r} was changed by someone else just now, so it was not "
            "written. Read it again, then decide."
        )


def _sync_directory(target: PathTarget) -> None:
    # The target's descriptor may be a handle (O_PATH), which cannot be synced.
    directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=target.directory_fd)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
