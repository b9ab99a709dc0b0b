"""The SQL of `run_skills`: the versions that runs use, kept until the runs are over.

Written with the log (`runs/history/run_copies.py`). What deletes versions locks them first, so a
run has either the version or no row here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, select

from dataagent_core.skills import SkillFile, SkillScope
from dataagent_server.agents.skills.skill_record import read_files
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.skills import run_skills as table
from dataagent_server.db.tables.skills import skill_versions as versions
from dataagent_server.db.upsert import insert_ignore


@dataclass(frozen=True, slots=True)
class UsedSkill:
    """A version of a skill that a run uses."""

    skill_id: str
    number: int
    scope: SkillScope
    digest: str


@dataclass(frozen=True, slots=True)
class UsedVersion:
    """The same with the text and the files."""

    used: UsedSkill
    text: str
    files: tuple[SkillFile, ...]


def add_used(
    connection: Connection,
    tenant_id: TenantId,
    run_id: str,
    skill_id: str,
    *,
    scope: SkillScope,
    digest: str,
) -> bool:
    """Note that a run uses a skill as it is with this digest; False if it did, or cannot."""
    newest = (
        select(versions.c.number)
        .where(
            versions.c.tenant_id == tenant_id,
            versions.c.skill_id == skill_id,
            versions.c.digest == digest,
        )
        .order_by(versions.c.number.desc())
        .limit(1)
        .with_for_update(read=True)
    )
    number = connection.execute(newest).scalar()
    if number is None:
        return False
    row = {
        "tenant_id": tenant_id,
        "run_id": run_id,
        "skill_id": skill_id,
        "number": number,
        "scope": scope.value,
        "digest": digest,
    }
    return insert_ignore(connection, table, row) == 1


def list_used(connection: Connection, tenant_id: TenantId, run_id: str) -> tuple[UsedSkill, ...]:
    """List what a run uses."""
    query = (
        select(table.c.skill_id, table.c.number, table.c.scope, table.c.digest)
        .where(table.c.tenant_id == tenant_id, table.c.run_id == run_id)
        .order_by(table.c.skill_id)
    )
    return tuple(
        UsedSkill(skill_id, number, SkillScope(scope), digest)
        for skill_id, number, scope, digest in connection.execute(query)
    )


def load_versions(
    connection: Connection, tenant_id: TenantId, used: Sequence[UsedSkill]
) -> list[UsedVersion]:
    """Load the text and the files of each."""
    found: list[UsedVersion] = []
    for one in used:
        query = select(versions.c.content, versions.c.files).where(
            versions.c.tenant_id == tenant_id,
            versions.c.skill_id == one.skill_id,
            versions.c.number == one.number,
        )
        row = connection.execute(query).first()
        if row is not None:
            found.append(UsedVersion(one, row.content, read_files(row.files)))
    return found


def remove_used(connection: Connection, tenant_id: TenantId, run_id: str) -> list[str]:
    """Forget what a run uses; return the ids of the skills."""
    skill_ids = [one.skill_id for one in list_used(connection, tenant_id, run_id)]
    if skill_ids:
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.run_id == run_id)
        )
    return skill_ids


def is_used() -> ColumnElement[bool]:
    """Select the versions that a run uses."""
    return exists().where(
        and_(
            table.c.tenant_id == versions.c.tenant_id,
            table.c.skill_id == versions.c.skill_id,
            table.c.number == versions.c.number,
        )
    )
