"""The SQL of workspaces. Every query names the tenant."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, func, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage, PageRequest, apply, make_page
from dataagent_server.db.tables.data import file_readings
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.workspaces import (
    s_user_workspace_rel,
    s_workspace,
    s_workspace_reservation,
    s_workspace_usage,
)
from dataagent_server.workspaces.workspace import (
    StorageAmount,
    Workspace,
    WorkspaceId,
    WorkspaceMembership,
)
from dataagent_server.workspaces.workspace_member_rows import drop_members, put_member

_space, _rel = s_workspace.c, s_user_workspace_rel.c


@dataclass(frozen=True, slots=True)
class NewWorkspace:
    """What a new row holds."""

    workspace_id: WorkspaceId
    owner_id: str
    name: str
    description: str | None
    maximum: StorageAmount
    settings: dict[str, Any]
    now: datetime


def insert_workspace(connection: Connection, tenant_id: TenantId, new: NewWorkspace) -> None:
    """Insert a workspace and its owner's membership."""
    connection.execute(
        s_workspace.insert().values(
            tenant_id=tenant_id,
            workspace_id=new.workspace_id,
            owner_id=new.owner_id,
            name=new.name,
            path=new.workspace_id,
            description=new.description,
            max_size_bytes=new.maximum.size_bytes,
            max_files=new.maximum.files,
            current_size_bytes=0,
            current_file_count=0,
            is_active=True,
            settings=new.settings,
            created_at=new.now,
            updated_at=new.now,
        )
    )
    right = WorkspaceMembership(new.owner_id, "read_write", is_default=False, created_at=new.now)
    put_member(connection, tenant_id, new.workspace_id, right)


def find_workspace(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId, user_id: str
) -> Workspace | None:
    """Find a workspace of a tenant, with a user's relation to it."""
    found = _select_workspaces(tenant_id, user_id).where(_space.workspace_id == workspace_id)
    row = connection.execute(found).one_or_none()
    return None if row is None else _make_workspace(row)


def find_default(connection: Connection, tenant_id: TenantId, user_id: str) -> Workspace | None:
    """Find a user's default workspace."""
    found = _select_workspaces(tenant_id, user_id).where(
        _rel.is_default.is_(True), _space.is_active.is_(True)
    )
    row = connection.execute(found).one_or_none()
    return None if row is None else _make_workspace(row)


def list_workspaces(
    connection: Connection, tenant_id: TenantId, user_id: str, page_request: PageRequest
) -> ItemPage[Workspace]:
    """List the workspaces a user owns or shares, oldest first."""
    mine = _select_workspaces(tenant_id, user_id).where(_rel.id.is_not(None))
    found = connection.execute(
        apply(mine, page_request, _space.created_at, _space.workspace_id)
    ).all()
    return make_page(
        [_make_workspace(row) for row in found],
        page_request,
        lambda one: (one.created_at, one.workspace_id),
    )


def count_owned(connection: Connection, tenant_id: TenantId, user_id: str) -> int:
    """Count the workspaces a person owns."""
    return connection.execute(
        select(func.count())
        .select_from(s_workspace)
        .where(
            _space.tenant_id == tenant_id,
            _space.owner_id == user_id,
            _space.deleted_at.is_(None),
        )
    ).scalar_one()


def owned_ids(connection: Connection, tenant_id: TenantId, user_id: str) -> list[WorkspaceId]:
    """List the active workspaces a user owns, oldest first."""
    rows = connection.execute(
        select(_space.workspace_id)
        .where(
            _space.tenant_id == tenant_id,
            _space.owner_id == user_id,
            _space.is_active.is_(True),
            _space.deleted_at.is_(None),
        )
        .order_by(_space.id)
    )
    return [WorkspaceId(row.workspace_id) for row in rows]


def change_workspace(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    values: dict[str, Any],
) -> bool:
    """Set columns of a workspace that is not being deleted."""
    changed = connection.execute(
        update(s_workspace)
        .where(
            _space.tenant_id == tenant_id,
            _space.workspace_id == workspace_id,
            _space.deleted_at.is_(None),
        )
        .values(values)
    )
    return bool(changed.rowcount)


def forget_workspace(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId
) -> None:
    """Delete the row of a deleted workspace, once its directory is gone."""
    row = connection.execute(
        select(_space.current_size_bytes, _space.current_file_count).where(
            _space.tenant_id == tenant_id,
            _space.workspace_id == workspace_id,
            _space.deleted_at.is_not(None),
        )
    ).one_or_none()
    if row is None:
        return
    usage = s_workspace_usage.c
    connection.execute(
        update(s_workspace_usage)
        .where(usage.tenant_id == tenant_id)
        .values(
            current_size_bytes=usage.current_size_bytes - row.current_size_bytes,
            current_file_count=usage.current_file_count - row.current_file_count,
        )
    )
    drop_members(connection, tenant_id, workspace_id)
    for of_it in (s_workspace_reservation, file_readings):
        connection.execute(
            delete(of_it).where(
                of_it.c.tenant_id == tenant_id, of_it.c.workspace_id == workspace_id
            )
        )
    connection.execute(
        delete(s_workspace).where(
            _space.tenant_id == tenant_id, _space.workspace_id == workspace_id
        )
    )


def deleted_workspaces(
    connection: Connection, limit: int
) -> list[tuple[TenantId, WorkspaceId, str]]:
    """List workspaces of all tenants whose deletion was not finished."""
    gone = _space.deleted_at.is_not(None) | _space.tenant_id.not_in(select(tenants.c.tenant_id))
    rows = connection.execute(
        select(_space.tenant_id, _space.workspace_id, _space.path).where(gone).limit(limit)
    )
    return [(TenantId(row.tenant_id), WorkspaceId(row.workspace_id), row.path) for row in rows]


def _join_members(tenant_id: TenantId, user_id: str) -> Any:
    return s_workspace.outerjoin(
        s_user_workspace_rel,
        and_(
            _rel.workspace_id == _space.workspace_id,
            _rel.tenant_id == tenant_id,
            _rel.user_id == user_id,
        ),
    )


def _select_workspaces(tenant_id: TenantId, user_id: str) -> Select[Any]:
    return (
        select(s_workspace, _rel.is_default, _rel.permission)
        .select_from(_join_members(tenant_id, user_id))
        .where(_space.tenant_id == tenant_id, _space.deleted_at.is_(None))
    )


def _make_workspace(row: Row[Any]) -> Workspace:
    return Workspace(
        workspace_id=WorkspaceId(row.workspace_id),
        tenant_id=row.tenant_id,
        owner_id=row.owner_id,
        name=row.name,
        path=row.path,
        description=row.description,
        max_size_bytes=row.max_size_bytes,
        max_files=row.max_files,
        current_size_bytes=row.current_size_bytes,
        current_file_count=row.current_file_count,
        is_active=row.is_active,
        settings=row.settings or {},
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_accessed_at=row.last_accessed_at,
        is_default=bool(row.is_default),
        permission=row.permission,
    )
