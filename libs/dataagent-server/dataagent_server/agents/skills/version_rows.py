"""The SQL of a skill's versions: every text it has had, up to a limit.

Each text counts in the tenant's quota; call what changes them after `begin_change`.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from dataagent_server.agents.skills.limits import VERSIONS_PER_SKILL_MAX
from dataagent_server.agents.skills.run_skill_rows import is_used
from dataagent_server.agents.skills.skill_record import (
    SkillRecord,
    SkillVersion,
    file_values,
    read_files,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.skills import skill_versions as table
from dataagent_server.workspaces.quota.counter_rows import add_beside_workspaces
from dataagent_server.workspaces.workspace import StorageAmount

_LISTED = (
    table.c.number,
    table.c.version,
    table.c.digest,
    table.c.created_by,
    table.c.created_at,
)


def add_version(
    connection: Connection, tenant_id: TenantId, record: SkillRecord, user_id: str
) -> None:
    """Keep what the record says as its newest version, if the tenant has room for its text."""
    add_beside_workspaces(connection, tenant_id, _amount([record.text]))
    connection.execute(
        insert(table).values(
            tenant_id=tenant_id,
            skill_id=record.skill.id,
            number=record.number,
            version=record.skill.version,
            content=record.text,
            files=file_values(record.skill.files),
            digest=record.skill.digest,
            created_by=user_id,
            created_at=record.updated_at,
        )
    )


def list_versions(connection: Connection, tenant_id: TenantId, skill_id: str) -> list[SkillVersion]:
    """List the versions of a skill, the newest first, without their texts."""
    query = select(*_LISTED).where(*_of(tenant_id, skill_id)).order_by(table.c.number.desc())
    return [_read(row) for row in connection.execute(query).mappings()]


def find_version(
    connection: Connection, tenant_id: TenantId, skill_id: str, number: int
) -> SkillVersion | None:
    """Find one version with its text."""
    query = select(table).where(*_of(tenant_id, skill_id), table.c.number == number)
    row = connection.execute(query).mappings().first()
    return None if row is None else _read(row)


def remove_versions(
    connection: Connection, tenant_id: TenantId, skill_id: str, *, newest: int | None = None
) -> None:
    """Delete all versions that no run uses, or those of them too far behind the `newest`."""
    where = [*_of(tenant_id, skill_id)]
    if newest is not None:
        where.append(table.c.number <= newest - VERSIONS_PER_SKILL_MAX)
    # Locked first: whoever begins to use one has noted it before the next statement, or finds none.
    lock = select(table.c.number).where(*where).order_by(table.c.number).with_for_update()
    if not connection.execute(lock).scalars().all():
        return
    unused = select(table.c.number, table.c.content).where(*where, ~is_used())
    found = connection.execute(unused).all()
    if not found:
        return
    numbers = [row.number for row in found]
    connection.execute(delete(table).where(*_of(tenant_id, skill_id), table.c.number.in_(numbers)))
    freed = _amount([row.content for row in found])
    add_beside_workspaces(connection, tenant_id, StorageAmount() - freed)


def _amount(texts: Sequence[str]) -> StorageAmount:
    return StorageAmount(sum(len(text.encode()) for text in texts), len(texts))


def _of(tenant_id: TenantId, skill_id: str) -> tuple[Any, Any]:
    return table.c.tenant_id == tenant_id, table.c.skill_id == skill_id


def _read(row: RowMapping) -> SkillVersion:
    return SkillVersion(
        row["number"],
        row["version"],
        row.get("content", ""),
        read_files(row.get("files", ())),
        row["digest"],
        row["created_by"],
        row["created_at"],
    )
