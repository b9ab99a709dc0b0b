"""How the library assigns workspaces: the id is derived from tenant and user, the disk is counted.

A person's id never becomes part of a path, so ids such as `a/../b`, `.` or `/etc` cannot name
somebody else's files; they are refused besides.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.ids import checked_id
from dataagent_core.sandbox.workspaces.assignment import WorkspaceAssignment
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories
from dataagent_core.sandbox.workspaces.disk_quota import DiskQuota
from dataagent_core.sandbox.workspaces.earlier_layout import adopt_directory, adopt_managed

_ID_CHARS = 32


def derive_workspace_id(tenant_id: str | None, user_id: str) -> str:
    """Derive a workspace's id; no two pairs of ids share one."""
    tenant = "" if tenant_id is None else checked_id(tenant_id, "tenant id")
    named = f"{tenant}\0{checked_id(user_id, 'user id')}"
    return hashlib.sha256(named.encode()).hexdigest()[:_ID_CHARS]


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


def adopt_workspace(
    workspace_root: Path, *, directory: Path, user_id: str, tenant_id: str | None = None
) -> Path:
    """Give a person a directory of an earlier version: the operator says whose it is.

    It becomes their workspace, or a folder below `files/` where they have one already. Gives its
    new path. Blocks.
    """
    workspace_id = derive_workspace_id(tenant_id, user_id)
    return adopt_directory(WorkspaceDirectories(workspace_root), directory, workspace_id)
