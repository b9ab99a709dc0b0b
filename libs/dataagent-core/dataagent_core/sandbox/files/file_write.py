"""Changes a directory that is held open: a file appears whole or not at all.

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


def read_node(place: PathTarget) -> FileNode | None:
    """See what stands at a place, without following it."""
    try:
        return make_node(os.stat(place.name, dir_fd=place.directory_fd, follow_symlinks=False))
    except FileNotFoundError:
        return None


def replace_file(
    place: PathTarget, data: bytes, expected: ExpectedVersion, *, one_link: bool
) -> None:
    """Write a whole file; an existing one keeps its permissions and owner."""
    before = _replaceable(place, one_link=one_link)
    put_file(place, data, expected, before=before, mode=None)


def put_file(
    place: PathTarget,
    data: bytes,
    expected: ExpectedVersion,
    *,
    before: FileNode | None,
    mode: int | None,
) -> None:
    """Let a name hold a whole file; `before` lends its owner and, without a `mode`, its own."""
    temporary = f".dataagent-{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, _NEW_FILE_MODE, dir_fd=place.directory_fd)
    try:
        try:
            _fill(descriptor, data)
            if before is not None:
                _take_over(descriptor, place, before)
            if mode is not None:
                os.fchmod(descriptor, mode & 0o777)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _take_the_name(place, temporary, expected)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=place.directory_fd)
        raise


def put_link(place: PathTarget, target: bytes, expected: ExpectedVersion) -> None:
    """Let a name be a link, whatever it leads to: nothing follows it here."""
    temporary = f".dataagent-{secrets.token_hex(8)}.tmp"
    os.symlink(target, os.fsencode(temporary), dir_fd=place.directory_fd)
    try:
        _take_the_name(place, temporary, expected)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=place.directory_fd)
        raise


def adopt_file(
    place: PathTarget, folder_fd: int, name: str, expected: ExpectedVersion, *, one_link: bool
) -> None:
    """Give a finished file of ours its place."""
    _replaceable(place, one_link=one_link)
    _refuse_if_changed(place, expected)
    os.rename(name, place.name, src_dir_fd=folder_fd, dst_dir_fd=place.directory_fd)
    _keep(place)


def remove_file(place: PathTarget, expected: ExpectedVersion = None) -> None:
    """Take a name away; what a link points to, and the file's other names, stay."""
    _refuse_if_changed(place, expected)
    os.unlink(place.name, dir_fd=place.directory_fd)
    _keep(place)


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


def _replaceable(place: PathTarget, *, one_link: bool) -> FileNode | None:
    before = read_node(place)
    if before is not None and (before.kind != "file" or (one_link and before.links != 1)):
        raise make_not_plain_error(before, format_path(place.parts))
    return before


def _fill(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _take_over(descriptor: int, place: PathTarget, before: FileNode) -> None:
    owner = os.stat(place.name, dir_fd=place.directory_fd, follow_symlinks=False)
    if (owner.st_uid, owner.st_gid) != (os.geteuid(), os.getegid()):
        # Only a privileged process may; for anyone else the file becomes their own.
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    os.fchmod(descriptor, before.mode & 0o777)


def _take_the_name(place: PathTarget, temporary: str, expected: ExpectedVersion) -> None:
    _refuse_if_changed(place, expected)
    os.rename(temporary, place.name, src_dir_fd=place.directory_fd, dst_dir_fd=place.directory_fd)
    _keep(place)


def _refuse_if_changed(place: PathTarget, expected: ExpectedVersion) -> None:
    if expected is None:
        return
    now = read_node(place)
    if (now.version if now else "absent") != expected:
        raise ConflictError(
            f"{format_path(place.parts)!r} was changed by someone else just now, so it was not "
            "written. Read it again, then decide."
        )


def _keep(place: PathTarget) -> None:
    # The descriptor at hand may be a mere handle (O_PATH), which cannot be synced.
    directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=place.directory_fd)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
