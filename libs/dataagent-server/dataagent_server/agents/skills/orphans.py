"""Removes what deleted skills leave behind: their versions and files.

A project is deleted with the rows of its skills, in a layer that knows nothing of files. A version
that a run uses stays until the run is over.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, exists, select

from dataagent_server.agents.skills.blob_rows import remove_unused, remove_uses
from dataagent_server.agents.skills.revision_rows import begin_change
from dataagent_server.agents.skills.run_skill_rows import is_used
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


def remove_orphans_of(
    connection: Connection, tenant_id: TenantId, skill_ids: Sequence[str]
) -> None:
    """Remove what is left of those of these skills that are gone."""
    found = _list_orphans(connection, tenant_id, skill_versions.c.skill_id.in_(skill_ids))
    if not found:
        return
    begin_change(connection, tenant_id)
    for skill_id in found:
        remove_versions(connection, tenant_id, skill_id)
        remove_uses(connection, tenant_id, skill_id)
    remove_unused(connection, tenant_id)


def _remove(connection: Connection, tenant_id: TenantId) -> None:
    remove_orphans_of(connection, tenant_id, _list_orphans(connection, tenant_id))


def _list_orphans(
    connection: Connection, tenant_id: TenantId, *which: ColumnElement[bool]
) -> list[str]:
    query = (
        select(skill_versions.c.skill_id)
        .where(skill_versions.c.tenant_id == tenant_id, _is_orphan(), *which)
        .distinct()
    )
    return list(connection.execute(query).scalars())


def _is_orphan() -> ColumnElement[bool]:
    has_skill = exists().where(
        and_(
            skills.c.tenant_id == skill_versions.c.tenant_id,
            skills.c.id == skill_versions.c.skill_id,
        )
    )
    return and_(~has_skill, ~is_used())
