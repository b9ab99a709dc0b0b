"""Forgetting the checkpoints of runs long over, and the markers that point to them.

Sessions are deleted by `sessions/session_rows.py` and `removal.py`.

A run's checkpoints are deleted as a whole: within a thread every state may depend on older ones.
The newest run's thread is also what the agent remembers of a session, so choose a moment after
which nobody expects it to. Threads go before the rows that name them: what is interrupted is
found again.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from sqlalchemy import Connection, delete, select, update

from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import OVER, agent_executions, execution_checkpoints

_TOGETHER = 200


async def forget_checkpoints(
    database: Database, checkpoints: BaseCheckpointSaver[Any], finished_before: datetime
) -> int:
    """Delete the checkpoints of runs that ended before a moment, and say of how many."""
    runs = agent_executions.c
    over = (
        select(runs.tenant_id, runs.run_id)
        .where(runs.completed_at < finished_before, runs.forgotten_at.is_(None))
        .where(runs.status.in_(OVER))
        .limit(_TOGETHER)
    )
    forgotten = 0
    while found := await database.read(lambda c: [(t, r) for t, r in c.execute(over)]):
        for _, run_id in found:
            await checkpoints.adelete_thread(run_id)
        await database.write(lambda c, found=found: _note_forgotten(c, found))
        forgotten += len(found)
    return forgotten


def _note_forgotten(connection: Connection, found: Sequence[tuple[str, str]]) -> None:
    by_tenant: dict[str, list[str]] = defaultdict(list)
    for tenant_id, run_id in found:
        by_tenant[tenant_id].append(run_id)
    for tenant_id, run_ids in by_tenant.items():
        for table, change in (
            (execution_checkpoints, delete(execution_checkpoints)),
            (agent_executions, update(agent_executions).values(forgotten_at=now())),
        ):
            mine = (table.c.tenant_id == tenant_id, table.c.run_id.in_(run_ids))
            connection.execute(change.where(*mine))
