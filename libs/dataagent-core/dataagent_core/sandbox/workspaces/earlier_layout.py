"""Takes over a workspace of an earlier version, so that no file is lost and nobody gets another's.

`UserWorkspaceManager` kept workspaces at `base/u-{hash of user}`: the name says whose it is, so it
is moved when its user is first asked for. `AgentFactory` kept them at `base/{tenant}/{user}` and
`base/{user}`. Such a name does not say whose it is: `base/acme/ann` is a workspace of the tenant
acme or a folder in the workspace of a user called acme, and `base/website` may be no workspace at
all. Nothing by such a name is moved until the operator says whose it is (`adopt_workspace`).
"""

import hashlib
import logging
import os
import re
import secrets
from contextlib import ExitStack
from pathlib import Path

from dataagent_core.errors import DirectoryError, NotFoundError, ValidationError
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories

_OWNER_ONLY = 0o700
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Workspaces of the present layout, of earlier managers, and the folders beside them.
_NAMED_BY_US = re.compile(r"[0-9a-f]{32}\Z|u-[0-9a-f]{32}\Z|\.")

_log = logging.getLogger(__name__)


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
