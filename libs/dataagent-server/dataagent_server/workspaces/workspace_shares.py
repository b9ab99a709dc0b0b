"""Sharing a workspace (`s_user_workspace_rel`), by its owner or an admin."""

from dataclasses import dataclass

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces import workspace_member_rows
from dataagent_server.workspaces.access import find_accessible
from dataagent_server.workspaces.limits import MEMBERS_PER_WORKSPACE_MAX
from dataagent_server.workspaces.people_rows import is_in_tenant
from dataagent_server.workspaces.quota.counter_rows import lock_tenant
from dataagent_server.workspaces.store import WorkspaceStore, now
from dataagent_server.workspaces.workspace import Permission, WorkspaceId, WorkspaceMembership


@dataclass(frozen=True, slots=True)
class WorkspaceSharing:
    """Shares and unshares workspaces."""

    store: WorkspaceStore

    async def members(
        self, principal: Principal, workspace_id: WorkspaceId
    ) -> list[WorkspaceMembership]:
        """List the members of a workspace."""

        def work(connection: Connection) -> list[WorkspaceMembership]:
            find_accessible(connection, principal, workspace_id, "read")
            return workspace_member_rows.list_members(connection, principal.tenant_id, workspace_id)

        return await self.store.database.read(work)

    async def share(
        self, principal: Principal, workspace_id: WorkspaceId, user_id: str, permission: Permission
    ) -> list[WorkspaceMembership]:
        """Share a workspace with a user of the same tenant."""
        tenant_id = principal.tenant_id

        def work(connection: Connection) -> list[WorkspaceMembership]:
            lock_tenant(connection, tenant_id)
            found = find_accessible(connection, principal, workspace_id, "manage")
            if user_id == found.owner_id:
                raise ConflictError("The owner's own right to a workspace cannot be changed.")
            if not is_in_tenant(connection, tenant_id, user_id):
                raise NotFoundError(f"There is no user {user_id!r}.")
            members = workspace_member_rows.list_members(connection, tenant_id, workspace_id)
            if len(members) >= MEMBERS_PER_WORKSPACE_MAX:
                raise ConflictError(
                    f"The workspace is shared with {len(members)} people, which is the most."
                )
            workspace_member_rows.put_member(
                connection,
                tenant_id,
                workspace_id,
                WorkspaceMembership(user_id, permission, is_default=False, created_at=now()),
            )
            if permission == "read":
                # Agents write: a read-only workspace can be nobody's default.
                _clear_default(connection, principal, workspace_id, user_id)
            after = workspace_member_rows.list_members(connection, tenant_id, workspace_id)
            self.store.record(
                connection,
                principal,
                "workspace.share",
                workspace_id,
                user=user_id,
                permission=permission,
            )
            return after

        return await self.store.database.write(work)

    async def unshare(self, principal: Principal, workspace_id: WorkspaceId, user_id: str) -> None:
        """Remove a member; a user may always leave."""

        def work(connection: Connection) -> None:
            lock_tenant(connection, principal.tenant_id)
            wish = "read" if user_id == principal.user_id else "manage"
            found = find_accessible(connection, principal, workspace_id, wish)
            if user_id == found.owner_id:
                raise ConflictError("A workspace stays its owner's. Delete it instead.")
            if not workspace_member_rows.drop_member(
                connection, principal.tenant_id, workspace_id, user_id
            ):
                raise NotFoundError(f"The workspace is not shared with {user_id!r}.")
            self.store.record(
                connection, principal, "workspace.unshare", workspace_id, user=user_id
            )

        await self.store.database.write(work)


def _clear_default(
    connection: Connection, principal: Principal, workspace_id: WorkspaceId, user_id: str
) -> None:
    if user_id in workspace_member_rows.defaulting_users(
        connection, principal.tenant_id, workspace_id
    ):
        workspace_member_rows.make_default(connection, principal.tenant_id, user_id, None)
