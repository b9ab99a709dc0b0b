"""Forgetting the checkpoints of runs long over. Sessions are deleted by `sessions/rows.py`.

A run's checkpoints are deleted as a whole: within a thread every state may depend on older ones.
The newest run's thread is also what the agent remembers of a session, so choose a moment after
which nobody expects it to. Threads go before the rows that name them: what is interrupted is
found again.
"""

from datetime import datetime
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from sqlalchemy import select, update

from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import OVER, agent_executions

_TOGETHER = 200


async def forget_checkpoints(
    database: Database, checkpoints: BaseCheckpointSaver[Any], finished_before: datetime
) -> int:
    """Delete the checkpoints of runs that ended before a moment, and say of how many."""
    runs = agent_executions.c
    over = (
        select(runs.run_id)
        .where(runs.completed_at < finished_before, runs.forgotten_at.is_(None))
        .where(runs.status.in_(OVER))
        .limit(_TOGETHER)
    )
    forgotten = 0
    while run_ids := await database.read(lambda c: list(c.execute(over).scalars())):
        for run_id in run_ids:
            await checkpoints.adelete_thread(run_id)
        noted = update(agent_executions).where(runs.run_id.in_(run_ids)).values(forgotten_at=now())
        await database.write(lambda c, noted=noted: c.execute(noted))
        forgotten += len(run_ids)
    return forgotten
