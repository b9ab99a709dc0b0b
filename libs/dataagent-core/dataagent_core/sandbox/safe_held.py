"""A directory held open, and the opening and reading of what lies beneath it.

`safe_open.SafeRoot` adds listing and writing; use that one.
"""

import os
import stat
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

from dataagent_core.config.limits import FILE_BYTES_MAX
from dataagent_core.errors import DeniedError, DirectoryError, ValidationError
from dataagent_core.sandbox.closed_places import ClosedPlaces, Identity
from dataagent_core.sandbox.masks import DeniedNow, nothing_denied
from dataagent_core.sandbox.safe_errors import path_error
from dataagent_core.sandbox.safe_kernel import kernel_opens_beneath, open_by_kernel
from dataagent_core.sandbox.safe_node import Node, node_of
from dataagent_core.sandbox.safe_paths import Parts, checked_path, shown_path
from dataagent_core.sandbox.safe_read import pieces
from dataagent_core.sandbox.safe_walk import Refuse, open_by_walk, open_past
from dataagent_core.sandbox.safe_write import why_not_plain

Links = Literal["refuse", "beneath"]

# O_NONBLOCK: opening a pipe must not wait for somebody to write into it.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LOOK = getattr(os, "O_PATH", _READ) | os.O_CLOEXEC
LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Opener(Protocol):
    """Opens a checked path beneath a directory, as `open_by_kernel` and `open_by_walk` do."""

    def __call__(
        self, root_fd: int, path: str, flags: int, *, follow: bool, one_device: bool
    ) -> int: ...


class HeldRoot:
    """Opens and reads files beneath one directory.

    `closed` are places of the host that are not reached, should they lie beneath it: DataAgent's
    own folder when somebody works in their home. `denied_now` says which paths rules deny
    to read. `opener` is for tests.
    """

    def __init__(
        self,
        path: Path,
        *,
        links: Links,
        closed: Sequence[Path] = (),
        denied_now: DeniedNow = nothing_denied,
        opener: Opener | None = None,
    ) -> None:
        self.path = path
        self.links: Links = links
        self._follow = links == "beneath"
        self._opener = opener or (open_by_kernel if kernel_opens_beneath() else open_by_walk)
        try:
            self._fd = os.open(path, LIST)
        except OSError as error:
            raise DirectoryError(
                f"The folder {str(path)!r} cannot be opened: {error.strerror}. Make it first, or "
                "name another one."
            ) from error
        self._closed = ClosedPlaces.beneath(path, closed)
        self._denied_now = denied_now
        self.close = weakref.finalize(self, os.close, self._fd)

    @property
    def closed(self) -> frozenset[Identity]:
        """Name the places that are not reached, by device and inode."""
        return self._closed.identities

    def fileno(self) -> int:
        """Give the descriptor of the directory itself, to bind or to run in."""
        return self._fd

    def open_fd(self, path: str) -> int:
        """Open a regular file for reading; whoever asks closes it."""
        descriptor = self._open(path, _READ)
        status = os.fstat(descriptor)
        # One that was replaced since it was opened has no name left, and none elsewhere either.
        is_plain = stat.S_ISREG(status.st_mode) and (self._follow or status.st_nlink <= 1)
        if is_plain and not self._is_denied_elsewhere(status):
            return descriptor
        os.close(descriptor)
        if is_plain:
            raise DeniedError(f"A rule denies reading {path!r} under another of its names.")
        raise why_not_plain(node_of(status), path)

    def _is_denied_elsewhere(self, status: os.stat_result) -> bool:
        denied = self._denied_now() if status.st_nlink > 1 else None
        return bool(denied and denied.holds_file(self._fd, (status.st_dev, status.st_ino)))

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes:
        """Read a whole file; one that is larger than `max_bytes` is refused, not cut."""
        return self.read_version(path, max_bytes)[0]

    def read_version(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> tuple[bytes, Node]:
        """Read a whole file, and what tells this version of it from the next."""
        descriptor = self.open_fd(path)
        try:
            node = node_of(os.fstat(descriptor))
            data = b"".join(pieces(descriptor, max_bytes + 1))
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
            yield from pieces(descriptor)
        finally:
            os.close(descriptor)

    def stat(self, path: str) -> Node:
        """See what is at a path, after links where they are followed."""
        return self._stat(path, self._refuse)

    def stat_any(self, path: str) -> Node:
        """See what is at a path that may not be read either, to count it."""
        return self._stat(path, self._refuse_closed)

    def _stat(self, path: str, refuse: Refuse) -> Node:
        descriptor = self._open(path, _LOOK, refuse)
        try:
            return node_of(os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def _open(self, path: str, flags: int, refuse: Refuse | None = None) -> int:
        checked = checked_path(path)
        try:
            if self._closed or self._denied_now() is not None:
                return open_past(
                    refuse or self._refuse,
                    (self._fd, checked, flags),
                    follow=self._follow,
                    one_device=not self._follow,
                )
            return self._opener(
                self._fd, checked, flags, follow=self._follow, one_device=not self._follow
            )
        except OSError as error:
            raise path_error(error, path) from error

    def _refuse(
        self, path: str, parts: Parts, directory_fds: tuple[int, ...], last: Identity
    ) -> None:
        self._refuse_closed(path, parts, directory_fds, last)
        denied, reached = self._denied_now(), shown_path(parts)
        if denied is not None and denied.holds(reached):
            way = "" if reached == path else f", which {path!r} leads to"
            raise DeniedError(f"A rule denies reading {reached!r}{way}.")

    def _refuse_closed(
        self, path: str, parts: Parts, directory_fds: tuple[int, ...], last: Identity
    ) -> None:
        self._closed.refuse(path, parts, directory_fds, last)
