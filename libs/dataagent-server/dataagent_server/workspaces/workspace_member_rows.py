"""The SQL of workspace members, and of each user's default workspace."""

from typing import cast

from sqlalchemy import Connection, and_, delete, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.workspaces import s_user_workspace_rel
from dataagent_server.workspaces.workspace import Permission, WorkspaceId, WorkspaceMembership

_rel = s_user_workspace_rel.c


def make_default(
    connection: Connection, tenant_id: TenantId, user_id: str, workspace_id: WorkspaceId | None
) -> None:
    """Make one workspace a user's default; `None`: the user has none."""
    mine = and_(_rel.tenant_id == tenant_id, _rel.user_id == user_id)
    connection.execute(
        update(s_user_workspace_rel)
        .where(mine, _rel.is_default.is_(True))
        .values(is_default=False, default_slot=None)
    )
    if workspace_id is not None:
        connection.execute(
            update(s_user_workspace_rel)
            .where(mine, _rel.workspace_id == workspace_id)
            .values(is_default=True, default_slot=user_id)
        )


def defaulting_users(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId
) -> list[str]:
    """List the users whose default a workspace is."""
    return list(
        connection.execute(
            select(_rel.user_id).where(
                _rel.tenant_id == tenant_id,
                _rel.workspace_id == workspace_id,
                _rel.is_default.is_(True),
            )
        ).scalars()
    )


def list_members(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId
) -> list[WorkspaceMembership]:
    """List the members of a workspace."""
    rows = connection.execute(
        select(s_user_workspace_rel)
        .where(_rel.tenant_id == tenant_id, _rel.workspace_id == workspace_id)
        .order_by(_rel.id)
    )
    return [
        WorkspaceMembership(
            row.user_id, cast("Permission", row.permission), row.is_default, row.created_at
        )
        for row in rows
    ]


def put_member(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    member: WorkspaceMembership,
) -> None:
    """Add a member, or change the permission."""
    here = and_(
        _rel.tenant_id == tenant_id,
        _rel.workspace_id == workspace_id,
        _rel.user_id == member.user_id,
    )
    changed = connection.execute(
        update(s_user_workspace_rel).where(here).values(permission=member.permission)
    )
    if not changed.rowcount:
        connection.execute(
            s_user_workspace_rel.insert().values(
                tenant_id=tenant_id,
                user_id=member.user_id,
                workspace_id=workspace_id,
                is_default=False,
                permission=member.permission,
                created_at=member.created_at,
            )
        )


def drop_member(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId, user_id: str
) -> bool:
    """Remove a member."""
    gone = connection.execute(
        delete(s_user_workspace_rel).where(
            _rel.tenant_id == tenant_id,
            _rel.workspace_id == workspace_id,
            _rel.user_id == user_id,
        )
    )
    return bool(gone.rowcount)


def drop_members(connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId) -> None:
    """Remove all members."""
    connection.execute(
        delete(s_user_workspace_rel).where(
            _rel.tenant_id == tenant_id, _rel.workspace_id == workspace_id
        )
    )
