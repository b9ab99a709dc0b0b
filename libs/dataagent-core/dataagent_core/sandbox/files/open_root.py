"""`OpenRoot`: a directory held open; opens and reads files beneath it, up to a limit.

`safe_root.SafeRoot` adds listing and writing; use that one.
"""

import os
import stat
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

from dataagent_core.config.limits import FILE_BYTES_MAX
from dataagent_core.errors import DeniedError, DirectoryError, ValidationError
from dataagent_core.sandbox.files.file_node import FileNode, make_node
from dataagent_core.sandbox.files.file_write import make_not_plain_error
from dataagent_core.sandbox.files.path_errors import translate_os_error
from dataagent_core.sandbox.files.path_walk import (
    Refuse,
    has_kernel_open,
    open_by_kernel,
    open_by_walk,
    open_unless_refused,
)
from dataagent_core.sandbox.paths.closed_paths import ClosedPaths, FileIdentity
from dataagent_core.sandbox.paths.path_masks import FindDenials, deny_nothing
from dataagent_core.sandbox.paths.tool_paths import PathParts, check_path, format_path

_PIECE_BYTES = 1 << 20


def read_in_pieces(descriptor: int, max_bytes: int | None = None) -> Iterator[bytes]:
    """Read to the end, or until `max_bytes` were read."""
    left = max_bytes
    while left is None or left > 0:
        piece = os.read(descriptor, _PIECE_BYTES if left is None else min(left, _PIECE_BYTES))
        if not piece:
            return
        left = None if left is None else left - len(piece)
        yield piece


LinkPolicy = Literal["refuse", "beneath"]

# O_NONBLOCK: opening a pipe must not wait for a writer.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LOOK = getattr(os, "O_PATH", _READ) | os.O_CLOEXEC
LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class PathOpener(Protocol):
    """Opens a checked path beneath a directory, as `open_by_kernel` and `open_by_walk` do."""

    def __call__(
        self, root_fd: int, path: str, flags: int, *, follow: bool, one_device: bool
    ) -> int: ...


class OpenRoot:
    """Opens and reads files beneath one directory.

    `closed` are paths of the host that are not opened, even if they are beneath it: DataAgent's
    own folder when a person works in their home. `denied_now` says which paths rules deny
    to read. `opener` is for tests.
    """

    def __init__(
        self,
        path: Path,
        *,
        links: LinkPolicy,
        closed: Sequence[Path] = (),
        denied_now: FindDenials = deny_nothing,
        opener: PathOpener | None = None,
    ) -> None:
        self.path = path
        self.links: LinkPolicy = links
        self._follow = links == "beneath"
        self._opener = opener or (open_by_kernel if has_kernel_open() else open_by_walk)
        try:
            self._fd = os.open(path, LIST)
        except OSError as error:
            raise DirectoryError(
                f"The folder {str(path)!r} cannot be opened: {error.strerror}. Make it first, or "
                "name another one."
            ) from error
        self._closed = ClosedPaths.beneath(path, closed)
        self._denied_now = denied_now
        self.close = weakref.finalize(self, os.close, self._fd)

    @property
    def closed(self) -> frozenset[FileIdentity]:
        """The paths that are not opened, by device and inode."""
        return self._closed.identities

    def fileno(self) -> int:
        """Give the descriptor of the directory itself, to bind or to run in."""
        return self._fd

    def open_fd(self, path: str) -> int:
        """Open a regular file for reading; the caller closes it."""
        descriptor = self._open(path, _READ)
        status = os.fstat(descriptor)
        # One that was replaced since it was opened has no name left, and none elsewhere either.
        is_plain = stat.S_ISREG(status.st_mode) and (self._follow or status.st_nlink <= 1)
        if is_plain and not self._is_denied_elsewhere(status):
            return descriptor
        os.close(descriptor)
        if is_plain:
            raise DeniedError(f"A rule denies reading {path!r} under another of its names.")
        raise make_not_plain_error(make_node(status), path)

    def _is_denied_elsewhere(self, status: os.stat_result) -> bool:
        denied = self._denied_now() if status.st_nlink > 1 else None
        return bool(denied and denied.holds_file(self._fd, (status.st_dev, status.st_ino)))

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes:
        """Read a whole file; one that is larger than `max_bytes` is refused, not cut."""
        return self.read_version(path, max_bytes)[0]

    def read_version(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> tuple[bytes, FileNode]:
        """Read a whole file and its version."""
        descriptor = self.open_fd(path)
        try:
            node = make_node(os.fstat(descriptor))
            data = b"".join(read_in_pieces(descriptor, max_bytes + 1))
        finally:
            os.close(descriptor)
        if len(data) > max_bytes:
            raise ValidationError(
                f"{path!r} has {max(node.size_bytes, len(data))} bytes, more than the {max_bytes} "
                "read at once. Search it with grep, or cut out a part of it with the shell."
            )
        return data, node

    def read_pieces(self, path: str) -> Iterator[bytes]:
        """Read a file of any size piece by piece."""
        descriptor = self.open_fd(path)
        try:
            yield from read_in_pieces(descriptor)
        finally:
            os.close(descriptor)

    def stat(self, path: str) -> FileNode:
        """Read the metadata of a path, after links where they are followed."""
        return self._stat(path, self._refuse)

    def stat_any(self, path: str) -> FileNode:
        """Read the metadata of a path that may be denied to read, to count it."""
        return self._stat(path, self._refuse_closed)

    def _stat(self, path: str, refuse: Refuse) -> FileNode:
        descriptor = self._open(path, _LOOK, refuse)
        try:
            return make_node(os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def _open(self, path: str, flags: int, refuse: Refuse | None = None) -> int:
        checked = check_path(path)
        try:
            if self._closed or self._denied_now() is not None:
                return open_unless_refused(
                    refuse or self._refuse,
                    (self._fd, checked, flags),
                    follow=self._follow,
                    one_device=not self._follow,
                )
            return self._opener(
                self._fd, checked, flags, follow=self._follow, one_device=not self._follow
            )
        except OSError as error:
            raise translate_os_error(error, path) from error

    def _refuse(
        self, path: str, parts: PathParts, directory_fds: tuple[int, ...], last: FileIdentity
    ) -> None:
        self._refuse_closed(path, parts, directory_fds, last)
        denied, reached = self._denied_now(), format_path(parts)
        if denied is not None and denied.holds(reached):
            way = "" if reached == path else f", which {path!r} leads to"
            raise DeniedError(f"A rule denies reading {reached!r}{way}.")

    def _refuse_closed(
        self, path: str, parts: PathParts, directory_fds: tuple[int, ...], last: FileIdentity
    ) -> None:
        self._closed.refuse(path, parts, directory_fds, last)
