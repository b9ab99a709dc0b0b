"""A directory that nothing leads out of: every host-side file access of the agent goes through it.

    links="refuse"   the server: no symbolic links, one filesystem, regular files with one name
    links="beneath"  one person in the CLI: links that stay beneath the root are followed, hard
                     links may be read; writes replace by rename, so the other name keeps its text

Paths are the tools' (`/a.txt` from the root). Which of them a person must approve is decided by
`permissions`; what no tool may write at all stands in `protected`.
"""

import contextlib
import os
from collections.abc import Generator

from dataagent_core.errors import DataAgentError, DeniedError, NotFoundError, ValidationError
from dataagent_core.sandbox.host_files import host_file
from dataagent_core.sandbox.masks import DeniedNow
from dataagent_core.sandbox.protected import identity_at, refuse_protected
from dataagent_core.sandbox.safe_errors import path_error
from dataagent_core.sandbox.safe_held import LIST, HeldRoot, Links, Opener
from dataagent_core.sandbox.safe_list import Walked, Wanted, names_and_kinds, walk_files
from dataagent_core.sandbox.safe_node import Entry, Kind, Node, node_of
from dataagent_core.sandbox.safe_paths import Parts, parts_of, shown_path
from dataagent_core.sandbox.safe_restore import Held, IsExpected, put_back
from dataagent_core.sandbox.safe_walk import Arrival, arrive
from dataagent_core.sandbox.safe_write import (
    Expected,
    adopt_file,
    node_at,
    remove_file,
    replace_file,
)

__all__ = ["Links", "Opener", "SafeRoot"]


class SafeRoot(HeldRoot):
    """What may be done beneath one directory. Every method blocks: call them off the loop."""

    def ruled_by(self, denied_now: DeniedNow) -> "SafeRoot":
        """Open the same directory, without reading what rules deny."""
        return SafeRoot(
            self.path,
            links=self.links,
            closed=self._closed.paths,
            denied_now=denied_now,
            opener=self._opener,
        )

    def exists(self, path: str) -> bool:
        """Say whether there is something at a path that may be reached."""
        parts_of(path)
        try:
            self.stat_any(path)
        except DataAgentError:
            return False
        return True

    def open_directory(self, path: str = "/") -> int:
        """Open a directory to list it or to run in it; whoever asks closes it."""
        return self._open(path, LIST)

    def list_dir(self, path: str = "/") -> list[Entry]:
        """List a directory in byte order of names."""
        base = parts_of(path)
        with self._directory(path) as descriptor:
            return [
                self._entry(descriptor, (*base, name), kind)
                for name, kind in names_and_kinds(descriptor)
            ]

    def walk(self, path: str, wanted: Wanted) -> Walked:
        """Find the regular files beneath a directory, in byte order of paths; enters no link."""
        with self._directory(path) as descriptor:
            return walk_files(
                descriptor,
                parts_of(path),
                wanted,
                one_device=not self._follow,
                closed=self.closed,
            )

    def write_atomic(self, path: str, data: bytes, *, expected: Expected = None) -> None:
        """Write a whole file or nothing, making its folders; `expected` refuses a changed one."""
        with self._changing(path, follow_last=True, make_parents=True) as place:
            if place.name == ".":
                raise ValidationError(f"{path!r} is a directory, not a file.")
            replace_file(place, data, expected, one_link=not self._follow)

    def adopt(self, path: str, folder_fd: int, name: str, *, expected: Expected = None) -> None:
        """Take a finished file of our own into place by rename; its folders must be there.

        It is `name` in `folder_fd`, on the same file system, where nobody else can reach it.
        """
        with self._changing(path, follow_last=True, make_parents=False) as place:
            if place.name == ".":
                raise ValidationError(f"{path!r} is a directory, not a file.")
            adopt_file(place, folder_fd, name, expected, one_link=not self._follow)

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, unless they are there."""
        inside = f"{path.rstrip('/')}/_"
        with self._changing(inside, follow_last=False, make_parents=True):
            pass

    def unlink(self, path: str) -> None:
        """Remove a file, or a link itself."""
        with self._changing(path, follow_last=False, make_parents=False) as place:
            remove_file(place)

    def look_at(self, path: str) -> Node | None:
        """See what a name is, following no link at all; `None` if there is nothing."""
        try:
            with self._changing(path, follow=False, follow_last=False, make_parents=False) as place:
                return node_at(place)
        except NotFoundError:
            return None

    def put_back(self, path: str, wanted: Held | None, is_expected: IsExpected) -> None:
        """Let a name hold what it held before, if what it holds now is expected.

        `None` removes it. No link is followed on the way or at the end; a link is put back as one.
        """
        making = wanted is not None
        with self._changing(path, follow=False, follow_last=False, make_parents=making) as place:
            put_back(place, wanted, is_expected)

    def for_search(self) -> "SafeRoot":
        """Give itself: looking costs nothing here."""
        return self

    @contextlib.contextmanager
    def _changing(
        self, path: str, *, follow_last: bool, make_parents: bool, follow: bool | None = None
    ) -> Generator[Arrival]:
        parts = parts_of(path)
        # By name before any folder is made, and by what was really reached before any change.
        refuse_protected(parts)
        try:
            with arrive(
                self._fd,
                parts,
                follow=self._follow if follow is None else follow,
                one_device=not self._follow,
                follow_last=follow_last,
                make_parents=make_parents,
            ) as place:
                last = identity_at(place.directory_fd, place.name) if self._closed else None
                self._closed.refuse(path, place.parts, place.directory_fds, last)
                refuse_protected(place.parts, place.directory_fds)
                _refuse_hidden(parts, place.parts)
                yield place
        except OSError as error:
            raise path_error(error, path) from error

    @contextlib.contextmanager
    def _directory(self, path: str) -> Generator[int]:
        descriptor = self.open_directory(path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _entry(self, directory_fd: int, parts: Parts, kind: Kind) -> Entry:
        name = parts[-1]
        try:
            if kind == "link" and self._follow:
                node = self.stat(shown_path(parts))
            else:
                node = node_of(os.stat(name, dir_fd=directory_fd, follow_symlinks=False))
        except (OSError, DataAgentError):
            return Entry(name, kind, 0, 0)
        return Entry(name, node.kind, node.size_bytes, node.mtime_ns)


def _refuse_hidden(asked: Parts, reached: Parts) -> None:
    """Raise if a link leads to a file that a person must be asked about by its own name."""
    if asked != reached and host_file(reached) is not None:
        raise DeniedError(
            f"{shown_path(asked)!r} leads through a link to {shown_path(reached)!r}, which "
            "programs of this computer obey. Name that file itself: the person is asked about it."
        )
