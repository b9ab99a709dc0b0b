"""Counters of bytes and files: raised before a write, corrected after it, never above a maximum.

Each change updates the tenant's row first and the workspace's row second, in one transaction, so
the tenant's counters are always the sum of its workspaces' and of what it keeps beside them, and
there is no deadlock. The condition is part of the update, so of parallel writers only those that
fit succeed.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select, update

from dataagent_server.common.errors import QuotaExceededError, WorkspaceNotFoundError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.data import results
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.reports import report_runs
from dataagent_server.db.tables.workspaces import (
    s_workspace,
    s_workspace_reservation,
    s_workspace_usage,
)
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.workspaces.limits import BYTES_MAX
from dataagent_server.workspaces.workspace import StorageAmount, WorkspaceId

_space, _usage, _held = s_workspace.c, s_workspace_usage.c, s_workspace_reservation.c


@dataclass(frozen=True, slots=True)
class WorkspaceCounters:
    """The counters of one workspace, and what a count of its disk must know."""

    amount: StorageAmount
    maximum: StorageAmount
    tenant_room_bytes: int
    change_no: int
    waiting: StorageAmount
    # Stored results and reports: counted here, though not in the workspace's directory.
    beside: StorageAmount
    landing: bool
    expired: bool

    @property
    def room(self) -> StorageAmount:
        """Return the free space, at least 0."""
        left = self.maximum - self.amount
        return StorageAmount(
            max(0, min(left.size_bytes, self.tenant_room_bytes)), max(0, left.files)
        )


def lock_tenant(connection: Connection, tenant_id: TenantId) -> None:
    """Let one transaction at a time change a tenant's set of workspaces."""
    touch = (
        update(s_workspace_usage)
        .where(_usage.tenant_id == tenant_id)
        .values(change_no=_usage.change_no + 1)
    )
    if not connection.execute(touch).rowcount:
        insert_ignore(connection, s_workspace_usage, {"tenant_id": tenant_id})
        connection.execute(touch)


def add(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    more: StorageAmount,
    *,
    anyway: bool = False,
) -> None:
    """Change the counters; an increase must fit, unless it is on disk `anyway`."""
    if not _add_to_tenant(connection, tenant_id, more, anyway=anyway):
        raise _make_tenant_full_error(more)
    if _add_to_workspace(connection, tenant_id, workspace_id, more, anyway=anyway):
        return
    now = read_counters(connection, tenant_id, workspace_id)
    raise QuotaExceededError(
        f"The workspace has room for {now.room.size_bytes} bytes and {now.room.files} files more, "
        f"not for {more.size_bytes} bytes and {more.files} files. Delete something first.",
        {
            "scope": "workspace",
            "asked_bytes": more.size_bytes,
            "asked_files": more.files,
            "room_bytes": now.room.size_bytes,
            "room_files": now.room.files,
        },
    )


def add_beside_workspaces(connection: Connection, tenant_id: TenantId, more: StorageAmount) -> None:
    """Change the tenant's counters by what it keeps in no workspace; an increase must fit."""
    insert_ignore(connection, s_workspace_usage, {"tenant_id": tenant_id})
    if not _add_to_tenant(connection, tenant_id, more, anyway=False):
        raise _make_tenant_full_error(more)


def read_counters(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
) -> WorkspaceCounters:
    """Read the counters of a workspace."""
    row = _read_counters(connection, tenant_id, workspace_id)
    here = and_(_held.tenant_id == tenant_id, _held.workspace_id == workspace_id)
    held = connection.execute(
        select(_held.size_bytes, _held.files, _held.landing, _held.expires_at).where(here)
    ).all()
    waiting = sum(
        (StorageAmount(one.size_bytes, one.files) for one in held if not one.landing),
        start=StorageAmount(),
    )
    quota = BYTES_MAX if row.quota is None else row.quota
    return WorkspaceCounters(
        amount=StorageAmount(row.current_size_bytes, row.current_file_count),
        maximum=StorageAmount(row.max_size_bytes, row.max_files),
        tenant_room_bytes=quota - row.tenant_bytes,
        change_no=row.change_no,
        waiting=waiting,
        beside=_read_beside(connection, tenant_id, workspace_id),
        landing=any(one.landing for one in held),
        expired=bool(held) and min(one.expires_at for one in held) < database_now(connection),
    )


def correct(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    on_disk: StorageAmount,
    *,
    seen: WorkspaceCounters | None,
) -> bool:
    """Set the counters to the result of a count, unless they changed since `seen`.

    Without `seen` they are only raised: something may have changed during the count.
    """
    lock_tenant(connection, tenant_id)
    now = read_counters(connection, tenant_id, workspace_id)
    if seen is not None and (now.change_no != seen.change_no or now.landing):
        return False
    should = on_disk + now.waiting + now.beside
    if seen is None:
        should = StorageAmount(
            max(should.size_bytes, now.amount.size_bytes), max(should.files, now.amount.files)
        )
    add(connection, tenant_id, workspace_id, should - now.amount, anyway=True)
    return True


def _make_tenant_full_error(more: StorageAmount) -> QuotaExceededError:
    return QuotaExceededError(
        f"The tenant's workspaces together have no room for {more.size_bytes} bytes more. "
        "Delete files, or ask an admin to raise workspace_quota_bytes.",
        {"scope": "tenant", "asked_bytes": more.size_bytes},
    )


def _add_to_tenant(
    connection: Connection, tenant_id: TenantId, more: StorageAmount, *, anyway: bool
) -> bool:
    where: list[ColumnElement[bool]] = [_usage.tenant_id == tenant_id]
    if more.size_bytes > 0 and not anyway:
        quota = func.coalesce(_quota_of(tenant_id).scalar_subquery(), BYTES_MAX)
        where.append(_usage.current_size_bytes + more.size_bytes <= quota)
    changed = connection.execute(
        update(s_workspace_usage)
        .where(*where)
        .values(
            current_size_bytes=_usage.current_size_bytes + more.size_bytes,
            current_file_count=_usage.current_file_count + more.files,
        )
    )
    return bool(changed.rowcount)


def _add_to_workspace(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    more: StorageAmount,
    *,
    anyway: bool,
) -> bool:
    where: list[ColumnElement[bool]] = [
        _space.tenant_id == tenant_id,
        _space.workspace_id == workspace_id,
    ]
    if more.size_bytes > 0 and not anyway:
        where.append(_space.current_size_bytes + more.size_bytes <= _space.max_size_bytes)
    if more.files > 0 and not anyway:
        where.append(_space.current_file_count + more.files <= _space.max_files)
    if not anyway:
        where.append(_space.deleted_at.is_(None))
    changed = connection.execute(
        update(s_workspace)
        .where(*where)
        .values(
            current_size_bytes=_space.current_size_bytes + more.size_bytes,
            current_file_count=_space.current_file_count + more.files,
            change_no=_space.change_no + 1,
        )
    )
    return bool(changed.rowcount)


def _read_counters(connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId) -> Any:
    row = connection.execute(
        select(
            _space.current_size_bytes,
            _space.current_file_count,
            _space.max_size_bytes,
            _space.max_files,
            _space.change_no,
            _usage.current_size_bytes.label("tenant_bytes"),
            _quota_of(tenant_id).scalar_subquery().label("quota"),
        )
        .join_from(s_workspace, s_workspace_usage, _space.tenant_id == _usage.tenant_id)
        .where(
            _space.tenant_id == tenant_id,
            _space.workspace_id == workspace_id,
            _space.deleted_at.is_(None),
        )
    ).one_or_none()
    if row is None:
        raise WorkspaceNotFoundError(f"There is no workspace {workspace_id!r}.")
    return row


def _read_beside(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId
) -> StorageAmount:
    total = StorageAmount()
    for table, files in ((results, func.count()), (report_runs, _sum(report_runs.c.file_count))):
        here = (table.c.tenant_id == tenant_id, table.c.workspace_id == workspace_id)
        row = connection.execute(select(_sum(table.c.size_bytes), files).where(*here)).one()
        total += StorageAmount(int(row[0]), int(row[1]))
    return total


def _sum(column: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(func.sum(column), 0)


def _quota_of(tenant_id: TenantId) -> Select[tuple[Any]]:
    return select(tenants.c.workspace_quota_bytes).where(tenants.c.tenant_id == tenant_id)
