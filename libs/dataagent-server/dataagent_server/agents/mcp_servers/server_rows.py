"""The SQL of MCP servers."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy import update as sql_update

from dataagent_server.agents.mcp_servers.mcp_server import ServerScope
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.mcp import mcp_servers as table


def find(
    connection: Connection, tenant_id: TenantId, belongs: ServerScope, name: str
) -> RowMapping | None:
    """Find a server of exactly this scope, the ciphertexts included."""
    query = select(table).where(_in_scope(tenant_id, belongs), table.c.name == name)
    return connection.execute(query).mappings().first()


def list_servers_at(
    connection: Connection, tenant_id: TenantId, belongs: ServerScope
) -> Sequence[RowMapping]:
    """List the servers of exactly this scope by name."""
    query = select(table).where(_in_scope(tenant_id, belongs)).order_by(table.c.name)
    return connection.execute(query).mappings().all()


def list_visible_servers(
    connection: Connection,
    tenant_id: TenantId,
    user_id: str,
    project_id: str = "",
    name: str | None = None,
) -> list[RowMapping]:
    """List the servers a user sees from a project by name; of one name the nearest."""
    places = [ServerScope(), ServerScope(user_id=user_id)]
    if project_id:
        places.insert(1, ServerScope(project_id=project_id))
    query = select(table).where(or_(*(_in_scope(tenant_id, place) for place in places)))
    if name is not None:
        query = query.where(table.c.name == name)
    found = connection.execute(query).mappings().all()
    # The nearest comes last and replaces the others: tenant, project, user.
    nearness = {place: number for number, place in enumerate(places)}
    by_name: dict[str, RowMapping] = {}
    for row in sorted(
        found, key=lambda row: nearness[ServerScope(row["user_id"], row["project_id"])]
    ):
        by_name[row["name"]] = row
    return [by_name[each] for each in sorted(by_name)]


def count(connection: Connection, tenant_id: TenantId, belongs: ServerScope) -> int:
    """Count the servers of a scope."""
    query = select(func.count()).select_from(table).where(_in_scope(tenant_id, belongs))
    return connection.execute(query).scalar_one()


def add(connection: Connection, values: dict[str, Any]) -> None:
    """Insert one; a second of the same name is an `IntegrityError`."""
    connection.execute(insert(table).values(**values))


def change(
    connection: Connection, tenant_id: TenantId, old: RowMapping, values: dict[str, Any]
) -> bool:
    """Set columns of a server as it was read; False when another write came first."""
    mine = and_(
        table.c.tenant_id == tenant_id,
        table.c.id == old["id"],
        table.c.version == old["version"],
    )
    values = {**values, "version": old["version"] + 1}
    return connection.execute(sql_update(table).where(mine).values(**values)).rowcount == 1


def remove(connection: Connection, tenant_id: TenantId, server_id: int) -> None:
    """Delete one."""
    mine = and_(table.c.tenant_id == tenant_id, table.c.id == server_id)
    connection.execute(delete(table).where(mine))


def _in_scope(tenant_id: TenantId, belongs: ServerScope) -> ColumnElement[bool]:
    return and_(
        table.c.tenant_id == tenant_id,
        table.c.user_id == belongs.user_id,
        table.c.project_id == belongs.project_id,
    )
