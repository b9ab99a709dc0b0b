"""The SQL of projects."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.db.tables.data import data_sources, saved_questions, semantic_models
from dataagent_server.db.tables.mcp import mcp_servers
from dataagent_server.db.tables.people import projects
from dataagent_server.db.tables.rules import permission_rules
from dataagent_server.db.tables.skills import skills, tool_compositions
from dataagent_server.db.tables.subagents import subagents
from dataagent_server.db.tables.usage import budgets
from dataagent_server.identity.projects.project import Project

# The versions and files of skills are removed by a sweep.
REMOVED_WITH_PROJECT: Final = (
    permission_rules,
    data_sources,
    semantic_models,
    saved_questions,
    mcp_servers,
    skills,
    subagents,
    tool_compositions,
)

_COLUMNS = tuple(projects.c[name] for name in Project.__slots__)


def add_project(connection: Connection, tenant_id: TenantId, project: Project) -> None:
    """Insert a project."""
    values = {name: getattr(project, name) for name in Project.__slots__}
    connection.execute(insert(projects).values(tenant_id=tenant_id, **values))


def find_project(connection: Connection, tenant_id: TenantId, project_id: str) -> Project | None:
    """Find a project of this tenant."""
    query = select(*_COLUMNS).where(
        projects.c.tenant_id == tenant_id, projects.c.project_id == project_id
    )
    row = connection.execute(query).mappings().first()
    return None if row is None else Project(**row)


def find_owner(
    connection: Connection, tenant_id: TenantId, project_id: str, *, locked: bool = False
) -> str | None:
    """Find the owner of a project of this tenant; None when there is no such project.

    `locked`: nobody deletes it before the commit.
    """
    query = select(projects.c.owner_id).where(
        projects.c.tenant_id == tenant_id, projects.c.project_id == project_id
    )
    return connection.execute(query.with_for_update(read=True) if locked else query).scalar()


def list_projects(
    connection: Connection, tenant_id: TenantId, page_request: PageRequest
) -> list[Project]:
    """List the projects of this tenant."""
    query = select(*_COLUMNS).where(projects.c.tenant_id == tenant_id)
    found = connection.execute(
        apply(query, page_request, projects.c.created_at, projects.c.project_id)
    )
    return [Project(**row) for row in found.mappings()]


def count_projects(connection: Connection, tenant_id: TenantId) -> int:
    """Count the projects of this tenant."""
    query = select(func.count()).where(projects.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def change_project(
    connection: Connection,
    tenant_id: TenantId,
    old: Project,
    new: Project,
    now: datetime,
) -> bool:
    """Write the project as it was read and changed; False when another write came first."""
    changed = connection.execute(
        update(projects)
        .where(
            projects.c.tenant_id == tenant_id,
            projects.c.project_id == old.project_id,
            projects.c.version == old.version,
        )
        .values(
            name=new.name,
            description=new.description,
            default_model=new.default_model,
            version=old.version + 1,
            updated_at=now,
        )
    )
    return changed.rowcount == 1


def remove_project(connection: Connection, tenant_id: TenantId, project_id: str) -> None:
    """Delete a project and what belongs to it; its sessions stay, without a project."""
    # The project first: that waits for those who create something in it (`find_owner`).
    mine = and_(projects.c.tenant_id == tenant_id, projects.c.project_id == project_id)
    connection.execute(delete(projects).where(mine))
    connection.execute(
        update(sessions)
        .where(sessions.c.tenant_id == tenant_id, sessions.c.project_id == project_id)
        .values(project_id=None)
    )
    connection.execute(
        delete(budgets).where(
            budgets.c.tenant_id == tenant_id,
            budgets.c.scope == "project",
            budgets.c.scope_id == project_id,
        )
    )
    for table in REMOVED_WITH_PROJECT:
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.project_id == project_id)
        )
