"""Removes what a deleted project's skills leave behind: their versions and files.

A project is deleted with the rows of its skills, in a layer that knows nothing of files.
"""

from sqlalchemy import ColumnElement, Connection, and_, exists, select

from dataagent_server.agents.skills.blob_rows import remove_unused, remove_uses
from dataagent_server.agents.skills.revision_rows import begin_change
from dataagent_server.agents.skills.version_rows import remove_versions
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.skills import skill_versions, skills


async def remove_orphans(database: Database) -> None:
    """Remove the versions and files of skills that are gone, for all tenants."""
    for tenant_id in await database.read(_list_tenants):
        await database.write(lambda c, of=tenant_id: _remove(c, of))


def _list_tenants(connection: Connection) -> list[TenantId]:
    query = select(skill_versions.c.tenant_id).where(_is_orphan()).distinct()
    return [TenantId(one) for one in connection.execute(query).scalars()]


def _remove(connection: Connection, tenant_id: TenantId) -> None:
    begin_change(connection, tenant_id)
    query = (
        select(skill_versions.c.skill_id)
        .where(skill_versions.c.tenant_id == tenant_id, _is_orphan())
        .distinct()
    )
    for skill_id in list(connection.execute(query).scalars()):
        remove_versions(connection, tenant_id, skill_id)
        remove_uses(connection, tenant_id, skill_id)
    remove_unused(connection, tenant_id)


def _is_orphan() -> ColumnElement[bool]:
    return ~exists().where(
        and_(
            skills.c.tenant_id == skill_versions.c.tenant_id,
            skills.c.id == skill_versions.c.skill_id,
        )
    )
