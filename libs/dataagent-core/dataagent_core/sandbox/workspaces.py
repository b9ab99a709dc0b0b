"""Where each person's files live on a server (S0, S4): one directory each, theirs alone.

A person's id never becomes part of a path. The server makes the directory's name from it, so that
ids such as `a/../b`, `.` or `/etc` cannot name somebody else's files; they are refused besides.
Who may use which workspace, and reserving quota before a write, is the server's.
"""

import hashlib
import shutil
from pathlib import Path

from dataagent_core.config.limits import WORKSPACE_BYTES_MAX
from dataagent_core.errors import DirectoryError, NotFoundError, PathEscapeError
from dataagent_core.ids import checked_id
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.workspace_usage import Usage, usage_of

_FOLDERS = ("files", "uploads", "outputs")
_OWNER_ONLY = 0o700


class UserWorkspaceManager:
    """Finds, makes, measures and removes workspaces below one root."""

    def __init__(
        self, workspace_root: Path, default_quota_bytes: int = WORKSPACE_BYTES_MAX
    ) -> None:
        self._root = workspace_root
        self._default_quota_bytes = default_quota_bytes

    def get_user_workspace(self, user_id: str) -> Path:
        """Name the directory of a person, whether or not it exists."""
        checked = checked_id(user_id, "user id")
        return self._root / f"u-{hashlib.sha256(checked.encode()).hexdigest()[:32]}"

    def ensure_user_workspace(self, user_id: str) -> Path:
        """Make the directory with its folders, for its owner only, unless it is there."""
        workspace = self.get_user_workspace(user_id)
        try:
            self._root.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
            workspace.mkdir(mode=_OWNER_ONLY, exist_ok=True)
            workspace.chmod(_OWNER_ONLY)
            for name in _FOLDERS:
                (workspace / name).mkdir(mode=_OWNER_ONLY, exist_ok=True)
        except OSError as error:
            raise DirectoryError(
                f"The workspace {str(workspace)!r} cannot be made: {error.strerror}. Make "
                f"{str(self._root)!r} writable, or set another base path for workspaces."
            ) from error
        return workspace

    def validate_path(self, user_id: str, path: Path) -> bool:
        """Say whether a path of the host is in a person's workspace, and no link leads out of it.

        For showing and checking only: to open a file use a `SafeRoot`, which cannot be raced.
        """
        workspace = self.get_user_workspace(user_id)
        if not workspace.is_dir() or not path.is_relative_to(workspace):
            return False
        try:
            SafeRoot(workspace, links="refuse").stat(f"/{path.relative_to(workspace)}")
        except NotFoundError:
            return True
        except PathEscapeError:
            return False
        return True

    def get_workspace_usage(self, user_id: str) -> int:
        """Add up the bytes of a person's files."""
        return self.get_usage(user_id).size_bytes

    def get_usage(self, user_id: str) -> Usage:
        """Count a person's files and their bytes; both are 0 before there is a workspace."""
        return usage_of(self.get_user_workspace(user_id))

    def check_quota(self, user_id: str, additional_bytes: int = 0) -> bool:
        """Say whether so many bytes more would fit."""
        return self.get_workspace_usage(user_id) + additional_bytes <= self._default_quota_bytes

    def cleanup_workspace(self, user_id: str) -> None:
        """Remove a person's workspace with all that is in it; links are removed, not followed."""
        workspace = self.get_user_workspace(user_id)
        if workspace.exists():
            shutil.rmtree(workspace)
