"""Creates what every installation starts with: the default tenant and its owner."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection

from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.db.tables.people import s_user, tenants, user_tenants
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.audit.audit_rows import find_head
from dataagent_server.identity.tenants.tenant import TenantLimits
from dataagent_server.identity.tenants.tenant_rows import find_tenant


def ensure_default_tenant(
    connection: Connection, audit: AuditTrail, now: datetime, limits: TenantLimits
) -> bool:
    """Create both at the first start; False if they ever existed."""
    tenant = {
        "tenant_id": DEFAULT_TENANT,
        "name": "Default",
        "is_active": True,
        "version": 1,
        "created_at": now,
        "updated_at": now,
        **asdict(limits),
    }
    if find_tenant(connection, DEFAULT_TENANT) is not None:
        return False
    # Of two servers that start at the same moment the second waits here, and adds nothing.
    insert_ignore(connection, tenants, tenant)
    person = {
        "user_id": DEFAULT_ADMIN,
        "tenant_id": DEFAULT_TENANT,
        "username": "admin",
        "display_name": "Admin",
        "password_hash": None,
        "is_active": True,
        "created_at": now,
        "updated_at": now,
    }
    insert_ignore(connection, s_user, person)
    membership = {
        "tenant_id": DEFAULT_TENANT,
        "user_id": DEFAULT_ADMIN,
        "role": "owner",
        "created_at": now,
    }
    insert_ignore(connection, user_tenants, membership)
    if find_head(connection, DEFAULT_TENANT) is not None:
        return False
    audit.record(
        connection, DEFAULT_TENANT, "installation", "tenant.create", f"tenant:{DEFAULT_TENANT}"
    )
    return True
