"""Which workspace a person has, and how the library assigns it.

`Assign` is the port between `UserWorkspaceManager` and whoever assigns workspaces.
`DerivedAssignment` derives the id from tenant and user: a user's id never becomes part of a path,
so ids such as `a/../b`, `.` or `/etc` cannot name another user's files; they are refused besides.

`DiskQuota` counts the disk before each write, about 6 ms per thousand files. Every write happens
under a lock that holds across processes, so concurrent writers cannot exceed the quota together.

Workspaces of earlier versions are adopted. `UserWorkspaceManager` kept them at
`base/u-{hash of user}`: the name says whose it is, so it is moved when its user first needs it.
`AgentFactory` kept them at `base/{tenant}/{user}` and `base/{user}`. Such a name is ambiguous:
`base/acme/ann` is a workspace of the tenant acme or a folder in the workspace of a user called
acme, and `base/website` may be no workspace at all. It is moved only when the operator says
whose it is (`adopt_workspace`).
"""

import asyncio
import hashlib
import logging
import os
import re
import secrets
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.errors import DirectoryError, NotFoundError, QuotaExceededError, ValidationError
from dataagent_core.ids import checked_id
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage, WorkspaceQuota, WriteGrowth
from dataagent_core.sandbox.limits.folder_size import FolderSize
from dataagent_core.sandbox.workspaces.directories import FOLDERS, WorkspaceDirectories

_OWNER_ONLY = 0o700
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Workspaces of the present layout, of earlier managers, and the folders beside them.
_NAMED_BY_US = re.compile(r"[0-9a-f]{32}\Z|u-[0-9a-f]{32}\Z|\.")
_log = logging.getLogger(__name__)
_ID_CHARS = 32


@dataclass(frozen=True, slots=True)
class WorkspaceAssignment:
    """One person's workspace: the name of its directory, who counts it, and who owns its files.

    `owner` is a user number of the host; `None` means the process's own.
    """

    workspace_id: str
    quota: WorkspaceQuota
    owner: int | None = None


# A user id -> their workspace. Raises for an id that has none.
Assign = Callable[[str], WorkspaceAssignment]


@dataclass(frozen=True, slots=True)
class DerivedAssignment:
    """Assigns each person of a tenant one workspace, with the same quota for all."""

    directories: WorkspaceDirectories
    tenant_id: str | None
    bytes_max: int
    files_max: int

    def __call__(self, user_id: str) -> WorkspaceAssignment:
        """Assign a person's; one that an earlier version made elsewhere is moved here first."""
        workspace_id = derive_workspace_id(self.tenant_id, user_id)
        adopt_managed(self.directories, workspace_id, self.tenant_id, user_id)
        quota = DiskQuota(self.directories, workspace_id, self.bytes_max, self.files_max)
        return WorkspaceAssignment(workspace_id, quota)


def derive_workspace_id(tenant_id: str | None, user_id: str) -> str:
    """Derive a workspace's id; no two pairs of ids share one."""
    tenant = "" if tenant_id is None else checked_id(tenant_id, "tenant id")
    named = f"{tenant}\0{checked_id(user_id, 'user id')}"
    return hashlib.sha256(named.encode()).hexdigest()[:_ID_CHARS]


class DiskQuota:
    """A `WorkspaceQuota` over the files of one directory."""

    def __init__(
        self, directories: WorkspaceDirectories, workspace_id: str, bytes_max: int, files_max: int
    ) -> None:
        self._directories = directories
        self._workspace_id = workspace_id
        self._bytes_max = bytes_max
        self._files_max = files_max

    @contextmanager
    def writing(self, growth: Callable[[], WriteGrowth]) -> Generator[None]:
        """Hold the lock while a write happens; raises if what it adds does not fit."""
        with self._directories.replacing(self._workspace_id):
            added = growth()
            if added.adds:
                self._check(added)
            yield

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        """Say whether so much more would be within the quota just now."""
        bytes_free, files_free = self._compute_free(self._measure())
        return size_bytes <= bytes_free and files <= files_free

    async def read_usage(self) -> QuotaUsage:
        """Say what a command may still add."""
        held = await asyncio.to_thread(self._measure)
        bytes_free, files_free = self._compute_free(held)
        return QuotaUsage(
            held_bytes=held.size_bytes,
            held_files=held.entries + len(FOLDERS),
            free_bytes=max(bytes_free, 0),
            free_files=max(files_free, 0),
        )

    async def recount(self) -> None:
        """Do nothing: the next write counts the disk, and with it what the command left."""

    def _check(self, added: WriteGrowth) -> None:
        bytes_free, files_free = self._compute_free(self._measure())
        if added.size_bytes > max(bytes_free, 0) or added.files > max(files_free, 0):
            raise QuotaExceededError(
                f"The workspace has room for {max(bytes_free, 0)} bytes and "
                f"{max(files_free, 0)} files more, not for {added.size_bytes} bytes and "
                f"{added.files} files. Delete something first."
            )

    def _measure(self) -> FolderSize:
        return self._directories.measure(self._workspace_id)

    def _compute_free(self, held: FolderSize) -> tuple[int, int]:
        free = self._bytes_max - held.size_bytes, self._files_max - held.entries
        # Nobody knows what the rest of an incomplete count holds: the workspace counts as full.
        return free if held.complete else (min(free[0], 0), min(free[1], 0))


def adopt_workspace(
    workspace_root: Path, *, directory: Path, user_id: str, tenant_id: str | None = None
) -> Path:
    """Give a person a directory of an earlier version: the operator says whose it is.

    It becomes their workspace, or a folder below `files/` where they have one already. Gives its
    new path. Blocks.
    """
    workspace_id = derive_workspace_id(tenant_id, user_id)
    return adopt_directory(WorkspaceDirectories(workspace_root), directory, workspace_id)


def adopt_managed(
    directories: WorkspaceDirectories, workspace_id: str, tenant_id: str | None, user_id: str
) -> None:
    """Move what an earlier manager kept for a user; tell the operator what may be theirs."""
    base = directories.base
    if tenant_id is None:
        place = base / f"u-{hashlib.sha256(user_id.encode()).hexdigest()[:32]}"
        if _is_directory(place):
            _move(directories, place, workspace_id)
    if (base / workspace_id).exists():
        return
    doubtful = base / user_id if tenant_id is None else base / tenant_id / user_id
    if _is_directory(doubtful) and not _NAMED_BY_US.match(doubtful.relative_to(base).parts[0]):
        _log.warning(
            "%s may be an earlier workspace of user %r. If it is, move it with "
            "adopt_workspace(%r, directory=%r, user_id=%r, tenant_id=%r).",
            doubtful,
            user_id,
            base,
            doubtful,
            user_id,
            tenant_id,
        )


def adopt_directory(directories: WorkspaceDirectories, directory: Path, workspace_id: str) -> Path:
    """Move a directory into a workspace; say where it is now."""
    base, source = directories.base.resolve(), directory.parent.resolve() / directory.name
    if base.is_relative_to(source):
        raise ValidationError(f"{str(directory)!r} holds all workspaces: name one person's.")
    if source.is_relative_to(base) and _NAMED_BY_US.match(source.relative_to(base).parts[0]):
        raise ValidationError(
            f"{str(directory)!r} is in a workspace that has an owner, or is not a workspace."
        )
    if not _is_directory(source):
        raise NotFoundError(f"{str(directory)!r} is not a directory: there is nothing to move.")
    return _move(directories, source, workspace_id)


def _move(directories: WorkspaceDirectories, place: Path, workspace_id: str) -> Path:
    """Move a directory to the workspace's place, or below `files/` of one that exists."""
    workspace = directories.host_path(workspace_id)
    try:
        with directories.replacing(workspace_id), ExitStack() as stack:
            if not _is_directory(place):
                return workspace  # another process has moved it meanwhile
            place.chmod(_OWNER_ONLY)
            if not os.path.lexists(workspace):
                place.rename(workspace)
                return workspace
            directories.ensure(workspace_id)
            # No link that a command made is followed out of the workspace.
            files_fd = os.open(workspace / "files", _FOLDER)
            stack.callback(os.close, files_fd)
            name = f"earlier-{secrets.token_hex(4)}"
            os.rename(place, name, dst_dir_fd=files_fd)
            return workspace / "files" / name
    except OSError as error:
        raise DirectoryError(
            f"{str(place)!r} cannot be moved to {str(workspace)!r}: {error.strerror}. Both must be "
            "on one file system, and writable for this program."
        ) from error


def _is_directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
