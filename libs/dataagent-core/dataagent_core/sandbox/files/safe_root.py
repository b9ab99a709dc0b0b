"""A directory that no path leads out of: all file access of the agent on the host goes through it.

    links="refuse"   the server: no symbolic links, one filesystem, regular files with one name
    links="beneath"  one person in the CLI: links that stay beneath the root are followed, hard
                     links may be read; writes replace by rename, so the other name keeps its text

Paths are the tools' (`/a.txt` from the root). Which of them a person must approve is decided by
`permissions`; what no tool may write is in `sandbox/paths/protected_paths.py`.
"""

import contextlib
import os
from collections.abc import Generator

from dataagent_core.errors import DataAgentError, DeniedError, NotFoundError, ValidationError
from dataagent_core.sandbox.files.file_node import (
    DirectoryEntry,
    FileNode,
    NodeKind,
    WalkFilter,
    WalkResult,
    list_directory,
    make_node,
    walk_files,
)
from dataagent_core.sandbox.files.file_restore import IsExpected, StoredContent, restore_content
from dataagent_core.sandbox.files.file_write import (
    ExpectedVersion,
    adopt_file,
    read_node,
    remove_file,
    replace_file,
)
from dataagent_core.sandbox.files.open_root import LIST, LinkPolicy, OpenRoot, PathOpener
from dataagent_core.sandbox.files.path_errors import translate_os_error
from dataagent_core.sandbox.files.path_walk import PathTarget, walk_to_target
from dataagent_core.sandbox.host_guard.host_files import find_host_file
from dataagent_core.sandbox.paths.path_masks import FindDenials
from dataagent_core.sandbox.paths.protected_paths import read_entry_identity, refuse_protected
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path, split_path

__all__ = ["LinkPolicy", "PathOpener", "SafeRoot"]


class SafeRoot(OpenRoot):
    """What may be done beneath one directory. Every method blocks: call them off the loop."""

    def with_rules(self, denied_now: FindDenials) -> "SafeRoot":
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
        split_path(path)
        try:
            self.stat_any(path)
        except DataAgentError:
            return False
        return True

    def open_directory(self, path: str = "/") -> int:
        """Open a directory to list it or to run in it; the caller closes it."""
        return self._open(path, LIST)

    def list_dir(self, path: str = "/") -> list[DirectoryEntry]:
        """List a directory in byte order of names."""
        base = split_path(path)
        with self._open_listing(path) as descriptor:
            return [
                self._make_entry(descriptor, (*base, name), kind)
                for name, kind in list_directory(descriptor)
            ]

    def walk(self, path: str, wanted: WalkFilter) -> WalkResult:
        """Find the regular files beneath a directory, in byte order of paths; enters no link."""
        with self._open_listing(path) as descriptor:
            return walk_files(
                descriptor,
                split_path(path),
                wanted,
                one_device=not self._follow,
                closed=self.closed,
            )

    def write_atomic(self, path: str, data: bytes, *, expected: ExpectedVersion = None) -> None:
        """Write a whole file or nothing, making its folders; `expected` refuses a changed one."""
        with self._changing(path, follow_last=True, make_parents=True) as target:
            if target.name == ".":
                raise ValidationError(f"{path!r} is a directory, not a file.")
            replace_file(target, data, expected, one_link=not self._follow)

    def adopt(
        self, path: str, folder_fd: int, name: str, *, expected: ExpectedVersion = None
    ) -> None:
        """Take a finished file of our own into target by rename; its folders must be there.

        It is `name` in `folder_fd`, on the same file system, where nobody else can reach it.
        """
        with self._changing(path, follow_last=True, make_parents=False) as target:
            if target.name == ".":
                raise ValidationError(f"{path!r} is a directory, not a file.")
            adopt_file(target, folder_fd, name, expected, one_link=not self._follow)

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, unless they are there."""
        inside = f"{path.rstrip('/')}/_"
        with self._changing(inside, follow_last=False, make_parents=True):
            pass

    def unlink(self, path: str) -> None:
        """Remove a file, or a link itself."""
        with self._changing(path, follow_last=False, make_parents=False) as target:
            remove_file(target)

    def look_at(self, path: str) -> FileNode | None:
        """Read the metadata of a name, following no link; `None` if it does not exist."""
        try:
            with self._changing(
                path, follow=False, follow_last=False, make_parents=False
            ) as target:
                return read_node(target)
        except NotFoundError:
            return None

    def put_back(self, path: str, wanted: StoredContent | None, is_expected: IsExpected) -> None:
        """Restore the earlier content of a name, if its present content is expected.

        `None` removes it. No link is followed on the way or at the end; a link is restored as one.
        """
        making = wanted is not None
        with self._changing(path, follow=False, follow_last=False, make_parents=making) as target:
            restore_content(target, wanted, is_expected)

    def for_search(self) -> "SafeRoot":
        """Give itself: reads are local and cheap."""
        return self

    @contextlib.contextmanager
    def _changing(
        self, path: str, *, follow_last: bool, make_parents: bool, follow: bool | None = None
    ) -> Generator[PathTarget]:
        parts = split_path(path)
        # By name before any folder is made, and by what was really reached before any change.
        refuse_protected(parts)
        try:
            with walk_to_target(
                self._fd,
                parts,
                follow=self._follow if follow is None else follow,
                one_device=not self._follow,
                follow_last=follow_last,
                make_parents=make_parents,
            ) as target:
                last = (
                    read_entry_identity(target.directory_fd, target.name) if self._closed else None
                )
                self._closed.refuse(path, target.parts, target.directory_fds, last)
                refuse_protected(target.parts, target.directory_fds)
                _refuse_hidden(parts, target.parts)
                yield target
        except OSError as error:
            raise translate_os_error(error, path) from error

    @contextlib.contextmanager
    def _open_listing(self, path: str) -> Generator[int]:
        descriptor = self.open_directory(path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _make_entry(self, directory_fd: int, parts: PathParts, kind: NodeKind) -> DirectoryEntry:
        name = parts[-1]
        try:
            if kind == "link" and self._follow:
                node = self.stat(format_path(parts))
            else:
                node = make_node(os.stat(name, dir_fd=directory_fd, follow_symlinks=False))
        except (OSError, DataAgentError):
            return DirectoryEntry(name, kind, 0, 0)
        return DirectoryEntry(name, node.kind, node.size_bytes, node.mtime_ns)


def _refuse_hidden(asked: PathParts, reached: PathParts) -> None:
    """Raise if a link leads to a file that a person must be asked about by its own name."""
    if asked != reached and find_host_file(reached) is not None:
        raise DeniedError(
            f"{format_path(asked)!r} leads through a link to {format_path(reached)!r}, which "
            "programs of this computer obey. Name that file itself: the person is asked about it."
        )
