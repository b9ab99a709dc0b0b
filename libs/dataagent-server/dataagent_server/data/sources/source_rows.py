"""The SQL of data sources."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, delete, func, insert, select
from sqlalchemy import update as sql_update

from dataagent_server.common.ids import TenantId
from dataagent_server.db.project_column import is_visible
from dataagent_server.db.tables.data import data_sources as table


def find(
    connection: Connection, tenant_id: TenantId, project_id: str, name: str
) -> RowMapping | None:
    """Find a source of exactly this project, the ciphertexts included."""
    query = select(table).where(_is(tenant_id, project_id, name))
    return connection.execute(query).mappings().first()


def list_visible(
    connection: Connection, tenant_id: TenantId, project_id: str, name: str | None = None
) -> Sequence[RowMapping]:
    """List the sources visible from a project by name: its own, and the tenant's."""
    query = select(table).where(is_visible(table, tenant_id, project_id))
    if name is not None:
        query = query.where(table.c.name == name)
    # The project's own come last and replace the tenant's.
    found = connection.execute(query.order_by(table.c.project_id)).mappings().all()
    by_name = {row["name"]: row for row in found}
    return [by_name[each] for each in sorted(by_name)]


def count(connection: Connection, tenant_id: TenantId) -> int:
    """Count a tenant's sources."""
    query = select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def add(connection: Connection, values: dict[str, Any]) -> None:
    """Insert one; a second of the same name is an `IntegrityError`."""
    connection.execute(insert(table).values(**values))


def change(
    connection: Connection,
    tenant_id: TenantId,
    old: RowMapping,
    values: dict[str, Any],
) -> bool:
    """Set columns of a source as it was read; False when another write came first."""
    mine = and_(_is(tenant_id, old["project_id"], old["name"]), table.c.version == old["version"])
    values = {**values, "version": old["version"] + 1}
    return connection.execute(sql_update(table).where(mine).values(**values)).rowcount == 1


def remove(connection: Connection, tenant_id: TenantId, project_id: str, name: str) -> None:
    """Delete one."""
    connection.execute(delete(table).where(_is(tenant_id, project_id, name)))


def _is(tenant_id: TenantId, project_id: str, name: str) -> ColumnElement[bool]:
    return and_(
        table.c.tenant_id == tenant_id, table.c.project_id == project_id, table.c.name == name
    )
