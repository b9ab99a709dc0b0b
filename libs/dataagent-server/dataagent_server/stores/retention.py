"""Forgetting: checkpoints of runs long over, and sessions nobody came back to.

A run's checkpoints are deleted as a whole: within a thread every state may depend on older ones.
The newest run's thread is also what the agent remembers of a session, so choose a moment after
which nobody expects it to. Threads go before the rows that name them: what is interrupted is
found again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from sqlalchemy import Connection, delete, exists, select, update

from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import messages, sessions
from dataagent_server.db.tables.runs import (
    agent_executions,
    execution_checkpoints,
    human_requests,
)
from dataagent_server.stores.log import delete_log

_TOGETHER = 200
_ACTIVE = ("queued", "running", "waiting_approval")


async def forget_checkpoints(
    database: Database, checkpoints: BaseCheckpointSaver[Any], finished_before: datetime
) -> int:
    """Delete the checkpoints of runs that ended before a moment, and say of how many."""
    runs = agent_executions.c
    over = (
        select(runs.run_id)
        .where(runs.completed_at < finished_before, runs.forgotten_at.is_(None))
        .where(runs.status.not_in(_ACTIVE))
        .limit(_TOGETHER)
    )
    forgotten = 0
    while run_ids := await database.read(lambda c: list(c.execute(over).scalars())):
        await _delete_threads(checkpoints, run_ids)
        noted = update(agent_executions).where(runs.run_id.in_(run_ids)).values(forgotten_at=now())
        await database.write(lambda c, noted=noted: c.execute(noted))
        forgotten += len(run_ids)
    return forgotten


async def forget_sessions(
    database: Database,
    checkpoints: BaseCheckpointSaver[Any],
    tenant_id: str,
    idle_since: datetime,
) -> int:
    """Delete a tenant's sessions not used since a moment, with all they hold; say how many.

    A session in which a run is under way, or waits for a person, is in use.
    """
    runs = agent_executions.c
    in_use = exists().where(
        runs.tenant_id == sessions.c.tenant_id,
        runs.session_id == sessions.c.session_id,
        runs.status.in_(_ACTIVE),
    )
    idle = (
        select(sessions.c.session_id)
        .where(sessions.c.tenant_id == tenant_id, sessions.c.last_active < idle_since, ~in_use)
        .limit(_TOGETHER)
    )
    forgotten = 0
    while session_ids := await database.read(lambda c: list(c.execute(idle).scalars())):
        for session_id in session_ids:
            await forget_session(database, checkpoints, tenant_id, session_id)
        forgotten += len(session_ids)
    return forgotten


async def forget_session(
    database: Database, checkpoints: BaseCheckpointSaver[Any], tenant_id: str, session_id: str
) -> None:
    """Delete one session with all it holds."""
    runs = agent_executions.c
    its_runs = select(runs.run_id).where(runs.tenant_id == tenant_id, runs.session_id == session_id)
    run_ids = await database.read(lambda c: list(c.execute(its_runs).scalars()))
    await _delete_threads(checkpoints, run_ids)
    await database.write(lambda c: _delete_rows(c, tenant_id, session_id))


async def _delete_threads(checkpoints: BaseCheckpointSaver[Any], run_ids: Sequence[str]) -> None:
    for run_id in run_ids:
        await checkpoints.adelete_thread(run_id)


def _delete_rows(connection: Connection, tenant_id: str, session_id: str) -> None:
    delete_log(connection, tenant_id, session_id)
    for table in (human_requests, execution_checkpoints, agent_executions, messages, sessions):
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.session_id == session_id)
        )
