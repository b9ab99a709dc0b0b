"""The workspace of an agent (S4 2, 3): created before its first run, with a counted quota."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.sandbox.files.metered_root import MeteredRoot
from dataagent_core.sandbox.workspaces import Assign, UserWorkspaceManager, WorkspaceAssignment
from dataagent_server.common.errors import WorkspaceNotFoundError
from dataagent_server.common.ids import TenantId
from dataagent_server.workspaces import workspace_member_rows, workspace_rows
from dataagent_server.workspaces.limits import ACCESS_NOTED_S
from dataagent_server.workspaces.people_rows import is_in_tenant
from dataagent_server.workspaces.quota.counted_workspace import CountedWorkspace
from dataagent_server.workspaces.quota.counter_rows import lock_tenant
from dataagent_server.workspaces.store import WorkspaceStore, now
from dataagent_server.workspaces.workspace import Workspace, WorkspaceId

_DEFAULT_NAME = "Default"


@dataclass(frozen=True, slots=True)
class AgentWorkspace:
    """What `AgentConfig` needs: `workspace_path`, and the manager that opens it counted."""

    workspace_id: WorkspaceId
    user_id: str
    path: Path
    manager: UserWorkspaceManager
    run_as: int | None

    def open_root(self) -> MeteredRoot:
        """Open it for the user's own tools. Blocks."""
        return self.manager.open_root(self.user_id)


async def ensure_user_default_workspace(
    store: WorkspaceStore, tenant_id: TenantId, user_id: str
) -> Workspace:
    """Return a user's default workspace with its directory; parallel calls get the same."""

    def find(connection: Connection) -> Workspace | None:
        return workspace_rows.find_default(connection, tenant_id, user_id)

    def make(connection: Connection) -> Workspace | None:
        lock_tenant(connection, tenant_id)
        found = workspace_rows.find_default(connection, tenant_id, user_id)
        if found is not None:
            return found
        if not is_in_tenant(connection, tenant_id, user_id):
            raise NotFoundError(f"There is no user {user_id!r}.")
        owned = workspace_rows.owned_ids(connection, tenant_id, user_id)
        if not owned:
            new = workspace_rows.NewWorkspace(
                WorkspaceId(new_id()), user_id, _DEFAULT_NAME, None, store.maximum, {}, now()
            )
            workspace_rows.insert_workspace(connection, tenant_id, new)
            owned = [new.workspace_id]
        workspace_member_rows.make_default(connection, tenant_id, user_id, owned[0])
        return workspace_rows.find_default(connection, tenant_id, user_id)

    workspace = await store.database.read(find) or await store.database.write(make)
    assert workspace is not None
    await store.directory(workspace)
    return workspace


async def get_user_default_workspace_path(
    store: WorkspaceStore, tenant_id: TenantId, user_id: str
) -> Path:
    """Return the directory of a user's agents."""
    workspace = await ensure_user_default_workspace(store, tenant_id, user_id)
    return store.directories.host_path(workspace.path)


async def open_for_agent(
    store: WorkspaceStore,
    tenant_id: TenantId,
    user_id: str,
    workspace_id: WorkspaceId | None = None,
) -> AgentWorkspace:
    """Open a workspace for a user's agent: the named one, else the default."""
    if workspace_id is None:
        workspace = await ensure_user_default_workspace(store, tenant_id, user_id)
    else:
        workspace = await _find(store, tenant_id, user_id, workspace_id)
    path = await store.directory(workspace)
    await _note_access(store, workspace)
    assignment = WorkspaceAssignment(
        workspace.path,
        CountedWorkspace(store, tenant_id, workspace.workspace_id),
        await store.owner(tenant_id),
    )
    return AgentWorkspace(
        workspace_id=workspace.workspace_id,
        user_id=user_id,
        path=path,
        manager=UserWorkspaceManager.over(store.directories, _make_assign(user_id, assignment)),
        run_as=assignment.owner,
    )


def _make_assign(user_id: str, assignment: WorkspaceAssignment) -> Assign:
    """Assign a workspace to exactly one user."""

    def assign(requested: str) -> WorkspaceAssignment:
        if requested != user_id:
            raise NotFoundError(f"The workspace was opened for {user_id!r}, not for {requested!r}.")
        return assignment

    return assign


async def _find(
    store: WorkspaceStore, tenant_id: TenantId, user_id: str, workspace_id: WorkspaceId
) -> Workspace:
    found = await store.database.read(
        lambda connection: workspace_rows.find_workspace(
            connection, tenant_id, workspace_id, user_id
        )
    )
    if found is None:
        raise WorkspaceNotFoundError(f"There is no workspace {workspace_id!r}.")
    if found.permission != "read_write":
        raise DeniedError(f"Agents of {user_id!r} may not write the workspace {workspace_id!r}.")
    if not found.is_active:
        raise ConflictError(f"The workspace {workspace_id!r} is switched off. Activate it first.")
    return found


async def _note_access(store: WorkspaceStore, workspace: Workspace) -> None:
    at = now()
    last = workspace.last_accessed_at
    if last is not None and at - last < timedelta(seconds=ACCESS_NOTED_S):
        return
    await store.database.write(
        lambda connection: workspace_rows.change_workspace(
            connection,
            TenantId(workspace.tenant_id),
            workspace.workspace_id,
            {"last_accessed_at": at},
        )
    )
