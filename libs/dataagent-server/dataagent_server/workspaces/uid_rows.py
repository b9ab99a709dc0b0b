"""The user id of each tenant on the host, stored with its counters."""

from sqlalchemy import Connection, func, select, update

from dataagent_core.errors import ConfigurationError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.workspaces import s_workspace_usage
from dataagent_server.workspaces.owners import UidRange
from dataagent_server.workspaces.quota.counter_rows import lock_tenant

_usage = s_workspace_usage.c


def find_uid(connection: Connection, tenant_id: TenantId) -> int | None:
    """Find a tenant's user id."""
    return connection.execute(
        select(_usage.uid).where(_usage.tenant_id == tenant_id)
    ).scalar_one_or_none()


def allot_uid(connection: Connection, tenant_id: TenantId, uids: UidRange) -> None:
    """Assign the next user id to a tenant; ids are never reassigned."""
    lock_tenant(connection, tenant_id)
    highest = connection.execute(
        select(func.max(_usage.uid)).where(_usage.uid.between(uids.first, uids.last))
    ).scalar_one()
    free = uids.first if highest is None else highest + 1
    if free > uids.last:
        raise ConfigurationError(
            f"All user numbers from {uids.first} to {uids.last} belong to tenants. Widen the range."
        )
    connection.execute(
        update(s_workspace_usage)
        .where(_usage.tenant_id == tenant_id, _usage.uid.is_(None))
        .values(uid=free)
    )
