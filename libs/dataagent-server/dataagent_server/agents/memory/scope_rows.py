"""Which scopes are left of people who are no members any more, and of deleted projects."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select

from dataagent_core.memory.graph.graph_values import EpisodeState
from dataagent_core.memory.memory import MemoryScope
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.memory import graph_episodes, memory_indexes, memory_scopes
from dataagent_server.db.tables.people import projects, tenants, user_tenants

_columns = memory_scopes.c
_UNFINISHED: Final[tuple[EpisodeState, ...]] = ("received", "extracted", "linked")


def list_project_scopes(
    connection: Connection, tenant_id: TenantId, project_id: str
) -> list[MemoryScope]:
    """List the scopes of a project, of everybody."""
    of_project = and_(_columns.tenant_id == tenant_id, _columns.project_id == project_id)
    return _list_scopes(connection, and_(of_project, _columns.kind == "project"))


def list_orphans(connection: Connection) -> list[MemoryScope]:
    """List scopes of all tenants with something in them that is nobody's any more."""
    has_owner = exists().where(
        user_tenants.c.tenant_id == _columns.tenant_id, user_tenants.c.user_id == _columns.user_id
    )
    has_project = exists().where(
        projects.c.tenant_id == _columns.tenant_id, projects.c.project_id == _columns.project_id
    )
    has_documents = exists().where(
        memory_indexes.c.scope_no == _columns.number, memory_indexes.c.documents > 0
    )
    is_left = or_(~has_owner, and_(_columns.kind == "project", ~has_project))
    return _list_scopes(connection, and_(has_documents, is_left))


def choose_orphans(
    connection: Connection, tenant_id: TenantId, scopes: Sequence[MemoryScope]
) -> list[MemoryScope]:
    """Choose from scopes of a tenant those that are nobody's any more."""
    if not scopes:
        return []
    members = select(user_tenants.c.user_id).where(user_tenants.c.tenant_id == tenant_id)
    of_tenant = select(projects.c.project_id).where(projects.c.tenant_id == tenant_id)
    people = set(connection.execute(members).scalars())
    known = set(connection.execute(of_tenant).scalars())
    return [
        scope
        for scope in scopes
        if scope.user_id not in people
        or (scope.kind == "project" and scope.project_id not in known)
    ]


def has_owner(connection: Connection, scope: MemoryScope) -> bool:
    """Say whether whoever a scope belongs to is still a member."""
    query = select(user_tenants.c.user_id).where(
        user_tenants.c.tenant_id == scope.tenant_id, user_tenants.c.user_id == scope.user_id
    )
    return connection.execute(query).first() is not None


def list_tenants(connection: Connection) -> list[TenantId]:
    """List the tenants in which something is remembered."""
    found = connection.execute(select(_columns.tenant_id).distinct()).scalars()
    return [TenantId(one) for one in found]


def list_every_tenant(connection: Connection) -> list[TenantId]:
    """List all tenants, suspended ones too."""
    found = connection.execute(select(tenants.c.tenant_id)).scalars()
    return [TenantId(one) for one in found]


def list_active(connection: Connection) -> list[TenantId]:
    """List the tenants that are not suspended."""
    query = select(tenants.c.tenant_id).where(tenants.c.is_active)
    return [TenantId(one) for one in connection.execute(query).scalars()]


def list_waiting(connection: Connection, again: datetime) -> list[TenantId]:
    """List tenants with episodes to read: new ones, and those that failed before `again`.

    Those of a suspended tenant wait until it is active again.
    """
    columns = graph_episodes.c
    is_due = or_(columns.attempts == 0, columns.updated_at <= again)
    is_active = exists().where(tenants.c.tenant_id == columns.tenant_id, tenants.c.is_active)
    query = select(columns.tenant_id).where(columns.state.in_(_UNFINISHED), is_due, is_active)
    return [TenantId(one) for one in connection.execute(query.distinct()).scalars()]


def list_people(connection: Connection, tenant_id: TenantId) -> list[str]:
    """List the people of a tenant of whom something is remembered."""
    query = select(_columns.user_id).where(_columns.tenant_id == tenant_id).distinct()
    return list(connection.execute(query).scalars())


def _list_scopes(connection: Connection, which: ColumnElement[bool]) -> list[MemoryScope]:
    query = select(memory_scopes).where(which).order_by(_columns.number)
    return [
        MemoryScope(
            tenant_id=row["tenant_id"],
            user_id=row["user_id"],
            kind=row["kind"],
            assistant_id=row["assistant_id"],
            project_id=row["project_id"],
        )
        for row in connection.execute(query).mappings()
    ]
