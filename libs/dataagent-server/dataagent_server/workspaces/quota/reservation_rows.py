"""Space that is reserved before a write and settled after it.

A reservation is a row, so that a count of the disk knows what is pending, and what a crash leaves
behind expires.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, delete, select, update

from dataagent_core.errors import ConflictError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.workspaces import s_workspace_reservation
from dataagent_server.workspaces.limits import RESERVATION_S
from dataagent_server.workspaces.quota.counter_rows import add, lock_tenant
from dataagent_server.workspaces.workspace import StorageAmount, WorkspaceId

_held = s_workspace_reservation.c


@dataclass(frozen=True, slots=True)
class Reservation:
    """A reservation to create or extend; `more` is added to it."""

    reservation_id: str
    more: StorageAmount
    landing: bool = False


def hold(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId, wanted: Reservation
) -> None:
    """Reserve space for a write, or raise `QuotaExceededError` and change nothing."""
    add(connection, tenant_id, workspace_id, wanted.more)
    changed = connection.execute(
        update(s_workspace_reservation)
        .where(_held.tenant_id == tenant_id, _held.reservation_id == wanted.reservation_id)
        .values(
            size_bytes=_held.size_bytes + wanted.more.size_bytes,
            files=_held.files + wanted.more.files,
            landing=wanted.landing,
            expires_at=_end(connection),
        )
    )
    if not changed.rowcount:
        raise ConflictError("The upload took too long, so its room was given back. Send it again.")


def begin_hold(
    connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId, wanted: Reservation
) -> None:
    """Create a reservation."""
    # The tenant first, as everywhere: the new row would lock its workspace's row, and the holder of
    # the tenant may wait for that.
    lock_tenant(connection, tenant_id)
    connection.execute(
        s_workspace_reservation.insert().values(
            reservation_id=wanted.reservation_id,
            tenant_id=tenant_id,
            workspace_id=workspace_id,
            size_bytes=0,
            files=0,
            expires_at=_end(connection),
        )
    )
    hold(connection, tenant_id, workspace_id, wanted)


def settle(
    connection: Connection,
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    reservation_id: str,
    actual: StorageAmount,
) -> None:
    """End a reservation: unused space is released. A missing one is left to a count."""
    lock_tenant(connection, tenant_id)
    mine = and_(_held.tenant_id == tenant_id, _held.reservation_id == reservation_id)
    row = connection.execute(select(_held.size_bytes, _held.files).where(mine)).one_or_none()
    if row is None:
        return
    add(
        connection,
        tenant_id,
        workspace_id,
        actual - StorageAmount(row.size_bytes, row.files),
        anyway=True,
    )
    connection.execute(delete(s_workspace_reservation).where(mine))


def drop_expired(connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId) -> None:
    """Delete expired reservations and release their space."""
    lock_tenant(connection, tenant_id)
    here = and_(_held.tenant_id == tenant_id, _held.workspace_id == workspace_id)
    for row in connection.execute(
        select(_held.reservation_id).where(here, _held.expires_at < database_now(connection))
    ).all():
        settle(connection, tenant_id, workspace_id, row.reservation_id, StorageAmount())


def _end(connection: Connection) -> datetime:
    return database_now(connection) + timedelta(seconds=RESERVATION_S)
