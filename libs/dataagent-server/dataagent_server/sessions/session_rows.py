"""The SQL of sessions inside larger transactions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.session.state import now
from dataagent_core.session.stores.sql.session_store import delete_session
from dataagent_core.session.titles import title_from
from dataagent_server.common.ids import TenantId
from dataagent_server.db.store_connection import sql_connection
from dataagent_server.db.tables.conversations import session_shares, sessions
from dataagent_server.db.tables.plans import work_plans
from dataagent_server.db.tables.runs import (
    OPEN,
    agent_executions,
    execution_checkpoints,
    human_requests,
    idempotency_keys,
)
from dataagent_server.db.tables.skills import run_skills
from dataagent_server.db.tables.subagents import agent_activity_logs, run_subagents
from dataagent_server.stores.removal import begin_removal
from dataagent_server.stores.sessions import title_columns


def note_message(
    connection: Connection, tenant_id: TenantId, session_id: str, text: str | None
) -> None:
    """Note the use of a session, and set its title by its first message.

    Locks the row, so that the session cannot be deleted before its run exists.
    """
    mine = (sessions.c.tenant_id == tenant_id, sessions.c.session_id == session_id)
    row = connection.execute(select(sessions.c.title).where(*mine).with_for_update()).first()
    if row is None:
        raise not_found(session_id)
    title = title_columns(title_from(text)) if text is not None and row.title is None else {}
    connection.execute(update(sessions).where(*mine).values(last_active=now(), **title))


def hold_session(connection: Connection, tenant_id: TenantId, session_id: str) -> str | None:
    """Lock a session's row until the transaction ends; return the store of its record."""
    mine = (sessions.c.tenant_id == tenant_id, sessions.c.session_id == session_id)
    row = connection.execute(select(sessions.c.store).where(*mine).with_for_update()).first()
    if row is None:
        raise not_found(session_id)
    return row.store


def change_session(
    connection: Connection, tenant_id: TenantId, session_id: str, wished: Mapping[str, Any]
) -> None:
    """Set columns of a session: its title, its project, its metadata."""
    # A separate query: MySQL counts only rows whose values changed.
    hold_session(connection, tenant_id, session_id)
    mine = (sessions.c.tenant_id == tenant_id, sessions.c.session_id == session_id)
    title = title_columns(wished["title"]) if "title" in wished else {}
    if wished:
        connection.execute(update(sessions).where(*mine).values(**{**wished, **title}))


def remove_whole(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    *,
    unused_since: datetime | None = None,
) -> list[str]:
    """Delete a session; return its runs, whose checkpoints are elsewhere.

    From here on nothing refers to its events and messages, which `removal.py` then deletes.
    """
    mine = (sessions.c.tenant_id == tenant_id, sessions.c.session_id == session_id)
    held = select(sessions.c.last_active).where(*mine).with_for_update()
    last_active = connection.execute(held).scalar()
    if last_active is None:
        raise not_found(session_id)
    if unused_since is not None and last_active >= unused_since:
        raise ConflictError(f"Session {session_id!r} was used meanwhile.")
    runs = connection.execute(
        select(agent_executions.c.run_id, agent_executions.c.status).where(
            agent_executions.c.tenant_id == tenant_id, agent_executions.c.session_id == session_id
        )
    ).all()
    if any(run.status in OPEN for run in runs):
        raise ConflictError(
            f"Session {session_id!r} has a run under way. Cancel it, then delete the session."
        )
    names = [run.run_id for run in runs]
    for table in (
        human_requests,
        execution_checkpoints,
        agent_activity_logs,
        work_plans,
        agent_executions,
        session_shares,
    ):
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.session_id == session_id)
        )
    for table in (idempotency_keys, run_skills, run_subagents):
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.run_id.in_(names))
        )
    begin_removal(connection, tenant_id, session_id)
    delete_session(sql_connection(connection), tenant_id, session_id)
    return names


def not_found(session_id: str) -> NotFoundError:
    """Return the error for a missing session: unknown and foreign look the same."""
    return NotFoundError(f"There is no session {session_id[:80]!r}.")
