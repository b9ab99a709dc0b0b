"""`UserWorkspaceManager` (S0, S4): finds, makes, opens, measures and removes people's workspaces.

The library makes one from a root and a quota. The server makes one over its own rows with `over`:
there a person may have several workspaces, and a database counts them. What a workspace is on disk
is `directories.py` for both.
"""

from pathlib import Path

from dataagent_core.config.limits import WORKSPACE_BYTES_MAX, WORKSPACE_FILES_MAX
from dataagent_core.errors import NotFoundError, PathEscapeError
from dataagent_core.sandbox.files.metered_root import MeteredRoot
from dataagent_core.sandbox.files.workspace_quota import WriteGrowth
from dataagent_core.sandbox.workspaces.assignment import Assign, DerivedAssignment
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories


class UserWorkspaceManager:
    """The workspaces of one tenant's people below one root. Everything here blocks."""

    def __init__(
        self,
        workspace_root: Path | WorkspaceDirectories,
        default_quota_bytes: int = WORKSPACE_BYTES_MAX,
        *,
        default_max_files: int = WORKSPACE_FILES_MAX,
        tenant_id: str | None = None,
        assign: Assign | None = None,
    ) -> None:
        """Take a root, a quota and a tenant, or directories and whoever assigns them (`over`)."""
        self._directories = (
            WorkspaceDirectories(workspace_root)
            if isinstance(workspace_root, Path)
            else workspace_root
        )
        self._assign = assign or DerivedAssignment(
            self._directories, tenant_id, default_quota_bytes, default_max_files
        )

    @classmethod
    def over(cls, directories: WorkspaceDirectories, assign: Assign) -> "UserWorkspaceManager":
        """Make a manager for workspaces that somebody else assigns and counts."""
        return cls(directories, assign=assign)

    def get_user_workspace(self, user_id: str) -> Path:
        """Name the directory of a person, whether or not it exists."""
        return self._directories.host_path(self._assign(user_id).workspace_id)

    def ensure_user_workspace(self, user_id: str) -> Path:
        """Make the directory with its folders, for its owner only, unless it is there."""
        assigned = self._assign(user_id)
        return self._directories.ensure(assigned.workspace_id, assigned.owner)

    def open_root(self, user_id: str) -> MeteredRoot:
        """Open a person's workspace, made if it is missing; what is written there is counted."""
        assigned = self._assign(user_id)
        directory = self._directories.ensure(assigned.workspace_id, assigned.owner)
        return MeteredRoot(directory.resolve(), assigned.quota, assigned.owner)

    def validate_path(self, user_id: str, path: Path) -> bool:
        """Say whether a path of the host is in a person's workspace, and no link leads out of it.

        For showing and checking only: to open a file use `open_root`, which cannot be raced.
        """
        workspace_id = self._assign(user_id).workspace_id
        workspace = self._directories.host_path(workspace_id)
        if not workspace.is_dir() or not path.is_relative_to(workspace):
            return False
        with self._directories.root(workspace_id) as root:
            try:
                root.stat(f"/{path.relative_to(workspace)}")
            except NotFoundError:
                return True
            except PathEscapeError:
                return False
        return True

    def get_workspace_usage(self, user_id: str) -> int:
        """Add up the bytes of a person's files; 0 before there is a workspace."""
        return self._directories.measure(self._assign(user_id).workspace_id).size_bytes

    def check_quota(self, user_id: str, additional_bytes: int = 0) -> bool:
        """Say whether so many bytes more would fit."""
        return self._assign(user_id).quota.fits(additional_bytes)

    def cleanup_workspace(self, user_id: str) -> None:
        """Remove a person's workspace with all that is in it; links are removed, not followed."""
        assigned = self._assign(user_id)

        def growth() -> WriteGrowth:
            held = self._directories.measure(assigned.workspace_id)
            return WriteGrowth(-held.size_bytes, -held.entries)

        with assigned.quota.writing(growth):
            self._directories.remove(assigned.workspace_id)
