"""Whether a user is a member of a tenant, for workspaces."""

from sqlalchemy import Connection, select

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import user_tenants


def is_in_tenant(connection: Connection, tenant_id: TenantId, user_id: str) -> bool:
    """Return whether a user is a member of a tenant."""
    found = connection.execute(
        select(user_tenants.c.user_id).where(
            user_tenants.c.tenant_id == tenant_id, user_tenants.c.user_id == user_id
        )
    )
    return found.one_or_none() is not None
