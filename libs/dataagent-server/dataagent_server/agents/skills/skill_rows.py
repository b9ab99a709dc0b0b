"""The SQL of skills. Their versions and files are in `version_rows.py` and `blob_rows.py`."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from dataagent_server.agents.skills.skill_record import SkillRecord, read_record, skill_values
from dataagent_server.common.ids import TenantId
from dataagent_server.db.project_column import is_visible
from dataagent_server.db.tables.skills import skills as table

_LISTED = tuple(column for column in table.c if column.name != "content")


def add(connection: Connection, tenant_id: TenantId, record: SkillRecord) -> None:
    """Insert one; a second of its name in the tier is an `IntegrityError`."""
    skill = record.skill
    connection.execute(
        insert(table).values(
            tenant_id=tenant_id,
            id=skill.id,
            project_id=record.belongs,
            scope=skill.scope.value,
            is_system_skill=False,
            enabled=record.enabled,
            number=record.number,
            created_by=record.created_by,
            created_at=record.created_at,
            updated_at=record.updated_at,
            **skill_values(skill, record.text),
        )
    )


def find(connection: Connection, tenant_id: TenantId, skill_id: str) -> SkillRecord | None:
    """Find a skill with its text."""
    row = connection.execute(select(table).where(_is(tenant_id, skill_id))).mappings().first()
    return None if row is None else read_record(row)


def list_skills(
    connection: Connection, tenant_id: TenantId, project_id: str | None
) -> list[SkillRecord]:
    """List the tenant's skills and, with a project, the project's, without their texts."""
    query = select(*_LISTED).where(is_visible(table, tenant_id, project_id)).order_by(table.c.name)
    return [read_record(row) for row in connection.execute(query).mappings()]


def load_skills(
    connection: Connection, tenant_id: TenantId, project_id: str | None
) -> list[SkillRecord]:
    """Load what `list_skills` lists, with the texts."""
    query = select(table).where(is_visible(table, tenant_id, project_id)).order_by(table.c.name)
    return [read_record(row) for row in connection.execute(query).mappings()]


def count(connection: Connection, tenant_id: TenantId) -> int:
    """Count the skills of a tenant and of its projects."""
    query = select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def change(
    connection: Connection, tenant_id: TenantId, skill_id: str, values: dict[str, Any]
) -> None:
    """Set columns; a name that the tier has already is an `IntegrityError`."""
    connection.execute(update(table).where(_is(tenant_id, skill_id)).values(**values))


def remove(connection: Connection, tenant_id: TenantId, skill_id: str) -> None:
    """Delete one."""
    connection.execute(delete(table).where(_is(tenant_id, skill_id)))


def _is(tenant_id: TenantId, skill_id: str) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == tenant_id, table.c.id == skill_id)
