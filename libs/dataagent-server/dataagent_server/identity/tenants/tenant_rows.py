"""The SQL of tenants."""

from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.people import tenants
from dataagent_server.identity.tenants.tenant import Tenant, TenantLimits

_LIMITS = tuple(field.name for field in fields(TenantLimits))


def add_tenant(connection: Connection, tenant: Tenant) -> None:
    """Insert a tenant; a taken id is the database's `IntegrityError`."""
    values = {name: getattr(tenant, name) for name in Tenant.__slots__ if name != "limits"}
    connection.execute(insert(tenants).values(**values, **asdict(tenant.limits)))


def find_tenant(
    connection: Connection, tenant_id: TenantId, *, lock: bool = False
) -> Tenant | None:
    """Find a tenant; `lock` keeps others from changing it or its members until the commit."""
    query = select(tenants).where(tenants.c.tenant_id == tenant_id)
    row = connection.execute(query.with_for_update() if lock else query).mappings().first()
    return None if row is None else _make_tenant(row)


def list_tenants(connection: Connection, page_request: PageRequest) -> list[Tenant]:
    """List all tenants: for the operator."""
    query = apply(select(tenants), page_request, tenants.c.created_at, tenants.c.tenant_id)
    return [_make_tenant(row) for row in connection.execute(query).mappings()]


def change_tenant(
    connection: Connection, tenant: Tenant, values: dict[str, Any], now: datetime
) -> bool:
    """Set columns of the tenant as it was read; False when another write came first."""
    changed = connection.execute(
        update(tenants)
        .where(tenants.c.tenant_id == tenant.tenant_id, tenants.c.version == tenant.version)
        .values(version=tenant.version + 1, updated_at=now, **values)
    )
    return changed.rowcount == 1


def _make_tenant(row: RowMapping) -> Tenant:
    limits = {name: row[name] for name in _LIMITS if row[name] is not None}
    rest = {name: row[name] for name in Tenant.__slots__ if name != "limits"}
    return Tenant(limits=TenantLimits(**limits), **rest)
