"""Access to workspaces: another tenant's is not found, another user's is refused."""

from typing import Literal

from sqlalchemy import Connection

from dataagent_server.common.errors import WorkspaceNotFoundError
from dataagent_server.identity.auth.may import Action, Resource, require
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.workspace import Workspace, WorkspaceId
from dataagent_server.workspaces.workspace_rows import find_workspace

# read: the workspace and its files; write: change its files; manage: change, share or delete the
# workspace itself.
Wish = Literal["read", "write", "manage"]


def require_access(principal: Principal, use: Wish, workspace: Workspace) -> None:
    """Raise unless the principal may; a share counts for files, never for the workspace itself."""
    match use:
        case "read":
            action: Action = "workspace.read"
            shared = workspace.permission is not None
        case "write":
            action = "workspace.change"
            shared = workspace.permission == "read_write"
        case "manage":
            action = "workspace.change"
            shared = False
    require(
        principal,
        action,
        Resource(principal.tenant_id, "workspace", owner_id=workspace.owner_id, shared=shared),
    )


def find_accessible(
    connection: Connection, principal: Principal, workspace_id: WorkspaceId, use: Wish
) -> Workspace:
    """Find a workspace the principal may use in this way."""
    workspace = find_workspace(connection, principal.tenant_id, workspace_id, principal.user_id)
    if workspace is None:
        raise WorkspaceNotFoundError(f"There is no workspace {workspace_id!r}.")
    require_access(principal, use, workspace)
    return workspace
