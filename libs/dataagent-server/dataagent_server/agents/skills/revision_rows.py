"""The SQL of a tenant's revision: the number that every change of its skills raises."""

from sqlalchemy import Connection, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.skills import skill_revisions as table
from dataagent_server.db.upsert import insert_ignore


def begin_change(connection: Connection, tenant_id: TenantId) -> None:
    """Raise the revision first in a transaction: other changes of the tenant wait for its end."""
    raised = (
        update(table).where(table.c.tenant_id == tenant_id).values(revision=table.c.revision + 1)
    )
    if not connection.execute(raised).rowcount:
        insert_ignore(connection, table, {"tenant_id": tenant_id, "revision": 0})
        connection.execute(raised)


def read_revision(connection: Connection, tenant_id: TenantId) -> int:
    """Return the revision; 0 before the first change."""
    query = select(table.c.revision).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar() or 0
