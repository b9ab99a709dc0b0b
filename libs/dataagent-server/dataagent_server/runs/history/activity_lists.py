"""Lists what a sub-agent did, in the sessions that a person may read."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.subagents import agent_activity_logs as table


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """A row of `agent_activity_logs`: a task, or a call of a model or a tool in one."""

    id: str
    tenant_id: str
    project_id: str | None
    session_id: str
    run_id: str
    agent_id: str
    parent_activity_id: str | None
    type: str
    status: str
    name: str
    input_data: dict[str, Any]
    output_data: dict[str, Any]
    error_message: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None
    duration_ms: int
    started_at: datetime
    completed_at: datetime | None
    metadata: dict[str, Any]


_COLUMNS = [table.c[name] for name in Activity.__slots__]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityFilter:
    """Whose activities: a sub-agent's, or those of all sub-agents in the runs of an assistant."""

    agent_id: str
    is_assistant: bool = False
    session_id: str | None = None
    # Only in sessions of this user.
    user_id: str | None = None


def list_activities(
    connection: Connection, tenant_id: TenantId, wanted: ActivityFilter, page_request: PageRequest
) -> list[Activity]:
    """List them, the newest first."""
    query = select(*_COLUMNS).where(table.c.tenant_id == tenant_id, _is_of(tenant_id, wanted))
    if wanted.session_id is not None:
        query = query.where(table.c.session_id == wanted.session_id)
    if wanted.user_id is not None:
        theirs = select(sessions.c.session_id).where(
            sessions.c.tenant_id == tenant_id, sessions.c.user_id == wanted.user_id
        )
        query = query.where(table.c.session_id.in_(theirs))
    page = apply(query, page_request, table.c.started_at, table.c.id, newest_first=True)
    return [Activity(**row) for row in connection.execute(page).mappings()]


def has_activities(connection: Connection, tenant_id: TenantId, agent_id: str) -> bool:
    """Return whether a sub-agent of this tenant did anything, be it deleted by now."""
    query = select(table.c.id).where(table.c.tenant_id == tenant_id, table.c.agent_id == agent_id)
    return connection.execute(query.limit(1)).first() is not None


def _is_of(tenant_id: TenantId, wanted: ActivityFilter) -> ColumnElement[bool]:
    if not wanted.is_assistant:
        return table.c.agent_id == wanted.agent_id
    its_runs = select(runs.c.run_id).where(
        runs.c.tenant_id == tenant_id, runs.c.assistant_id == wanted.agent_id
    )
    return table.c.run_id.in_(its_runs)
