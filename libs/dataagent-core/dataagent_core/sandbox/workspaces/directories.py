"""The directories behind workspaces: `base/{id}/{files,uploads,outputs}`, for their owner only.

Beside them lie folders of ours: `.trash`, where what is deleted goes first, `.incoming`, where an
upload is collected until it is whole, and `.locks`. All are on one file system, so a rename moves a
tree at once. Everything here blocks: call it off the loop.
"""

import fcntl
import os
import re
import stat
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from dataagent_core.config.limits import TRASH_EMPTIED_AT_ONCE_MAX
from dataagent_core.errors import DirectoryError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.limits.folder_size import FolderSize, measure_folder
from dataagent_core.sandbox.workspaces.tree_removal import empty_trash, remove_from_trash

FOLDERS: Final = ("files", "uploads", "outputs")
_TRASH = ".trash"
_INCOMING = ".incoming"
_LOCKS = ".locks"
# Workspaces whose ids begin alike share a lock, so that their number is bounded.
_LOCK_NAME_CHARS = 2
_OWNER_ONLY = 0o700
_PASSABLE = 0o711
_NAME = re.compile(r"[0-9a-f]{32}\Z")


class WorkspaceDirectories:
    """Makes, opens, measures and removes directories below one base path."""

    def __init__(self, base: Path, *, reachable: bool = False) -> None:
        self.base = base
        # Tenants with users of their own must be able to pass through to what is theirs.
        self._base_mode = _PASSABLE if reachable else _OWNER_ONLY

    def host_path(self, path: str) -> Path:
        """Name the directory of a row's `path`; only names we made ourselves are taken."""
        if not _NAME.match(path):
            raise DirectoryError(
                f"The workspace's stored path {path!r} is none of ours. Its row was changed by "
                "hand; put back the id that its directory has."
            )
        return self.base / path

    def ensure(self, path: str, owner: int | None = None) -> Path:
        """Make a workspace's directory with its folders, unless it is there."""
        directory = self.host_path(path)
        try:
            with ExitStack() as stack:
                base_fd = self._open_base(stack)
                _make_folder(base_fd, path, owner)
                directory_fd = _open_folder(stack, path, base_fd)
                for name in FOLDERS:
                    _make_folder(directory_fd, name, owner)
        except OSError as error:
            raise DirectoryError(
                f"The workspace {str(directory)!r} cannot be made: {error.strerror}. Make "
                f"{str(self.base)!r} writable, or set another DATAAGENT_WORKSPACE_BASE_PATH."
            ) from error
        return directory

    @contextmanager
    def root(self, path: str) -> Generator[SafeRoot]:
        """Open a workspace as the server does: no links, regular files with one name only."""
        root = SafeRoot(self.host_path(path), links="refuse")
        try:
            yield root
        finally:
            root.close()

    def measure(self, path: str) -> FolderSize:
        """Count what a workspace holds; one that was not made yet holds nothing."""
        if not self.host_path(path).is_dir():
            return FolderSize(0, 0, complete=True)
        with self.root(path) as root:
            return measure_folder(root.fileno(), FOLDERS)

    def remove(self, path: str) -> None:
        """Move a workspace to the trash, then delete it; a missing one is fine."""
        self.host_path(path)
        with ExitStack() as stack:
            trash_fd = self.own_folder(stack, _TRASH)
            with suppress(FileNotFoundError):
                os.rename(self.base / path, path, dst_dir_fd=trash_fd)
            remove_from_trash(trash_fd, path)

    def trash(self, stack: ExitStack) -> int:
        """Open the folder that deleted things go to."""
        return self.own_folder(stack, _TRASH)

    def incoming(self, stack: ExitStack) -> int:
        """Open the folder that uploads are collected in."""
        return self.own_folder(stack, _INCOMING)

    @contextmanager
    def replacing(self, path: str) -> Generator[None]:
        """Lock a workspace, across processes, to check a name and then change it.

        No command in a workspace can reach the lock file.
        """
        name = self.host_path(path).name[:_LOCK_NAME_CHARS]
        with ExitStack() as stack:
            locks_fd = self.own_folder(stack, _LOCKS)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock_fd = os.open(name, flags, 0o600, dir_fd=locks_fd)
            stack.callback(os.close, lock_fd)
            fcntl.flock(lock_fd, fcntl.LOCK_EX)
            yield

    def empty_trash(self) -> int:
        """Remove what crashes left of things that were deleted; say how many there were."""
        with ExitStack() as stack:
            return empty_trash(self.trash(stack), TRASH_EMPTIED_AT_ONCE_MAX)

    def incoming_names(self) -> list[str]:
        """List the uploads that are being collected, or were when a server stopped."""
        with ExitStack() as stack:
            return os.listdir(self.incoming(stack))  # noqa: PTH208 (a descriptor, not a path)

    def drop_incoming(self, names: Iterable[str]) -> int:
        """Remove uploads that nobody continues."""
        gone = 0
        with ExitStack() as stack:
            incoming_fd = self.incoming(stack)
            for name in names:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=incoming_fd)
                    gone += 1
        return gone

    def unknown(self, known: frozenset[str]) -> list[str]:
        """List directories without a row: to report, never to remove.

        The rows of another database may be theirs.
        """
        with suppress(FileNotFoundError), os.scandir(self.base) as entries:
            return sorted(e.name for e in entries if _NAME.match(e.name) and e.name not in known)
        return []

    def own_folder(self, stack: ExitStack, name: str) -> int:
        """Open a folder of ours beside the workspaces."""
        try:
            base_fd = self._open_base(stack)
            _make_folder(base_fd, name, None)
            return _open_folder(stack, name, base_fd)
        except OSError as error:
            raise DirectoryError(
                f"{str(self.base / name)!r} cannot be used: {error.strerror}. Make "
                f"{str(self.base)!r} writable for the server."
            ) from error

    def _open_base(self, stack: ExitStack) -> int:
        self.base.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        base_fd = _open_folder(stack, self.base)
        if self._base_mode == _PASSABLE and not os.fstat(base_fd).st_mode & stat.S_IXOTH:
            os.fchmod(base_fd, _PASSABLE)
        return base_fd


def _open_folder(stack: ExitStack, path: str | Path, above: int | None = None) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (os.O_NOFOLLOW if above else 0)
    descriptor = os.open(path, flags, dir_fd=above)
    stack.callback(os.close, descriptor)
    return descriptor


def _make_folder(above: int, name: str, owner: int | None) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, _OWNER_ONLY, dir_fd=above)
    if owner is not None:
        os.chown(name, owner, owner, dir_fd=above, follow_symlinks=False)
