"""The SQL of runs; `history/run_lists.py` has the lists."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, update

from dataagent_core.events import DoneEvent
from dataagent_core.events.system import message_id_for
from dataagent_core.ids import new_id
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.history.graph_states import newest_state
from dataagent_server.runs.run_capacity import RunLimits, check_capacity
from dataagent_server.runs.run_row import AGENT_TYPE, RUN_COLUMNS, NewRun, RunRow, result_of, run_of


def insert_run(
    connection: Connection, tenant_id: TenantId, new: NewRun, limits: RunLimits
) -> RunRow:
    """Append a run to its session's queue, if there is capacity."""
    check_capacity(connection, tenant_id, new, limits)
    now = database_now(connection)
    run_id = new_id()
    last = connection.execute(
        select(func.max(runs.c.position)).where(
            runs.c.tenant_id == tenant_id, runs.c.session_id == new.session_id
        )
    ).scalar_one()
    row = {
        "tenant_id": tenant_id,
        "run_id": run_id,
        "session_id": new.session_id,
        "user_id": new.user_id,
        "project_id": new.project_id,
        "assistant_id": new.assistant_id,
        "model": new.model,
        "agent_type": AGENT_TYPE,
        "message_id": message_id_for(run_id, new.kind),
        "input": new.text,
        "options": new.context,
        "status": "queued",
        "position": (last or 0) + 1,
        "fence": 0,
        "attempt": 0,
        "lost_attempts": 0,
        "progress_seq": 0,
        "trace_id": run_id,
        "created_at": now,
        "updated_at": now,
    }
    connection.execute(runs.insert(), row)
    inserted = find_run(connection, tenant_id, run_id)
    assert inserted is not None, run_id
    return inserted


def find_run(
    connection: Connection, tenant_id: TenantId, run_id: str, *, locked: bool = False
) -> RunRow | None:
    """Return a run; `locked` keeps others from changing it until the transaction ends."""
    query = select(*RUN_COLUMNS).where(runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
    row = connection.execute(query.with_for_update() if locked else query).mappings().first()
    return run_of(row) if row is not None else None


def find_first_run(connection: Connection, tenant_id: TenantId, session_id: str) -> RunRow | None:
    """Return the run that a session began with."""
    mine = (runs.c.tenant_id == tenant_id, runs.c.session_id == session_id)
    query = select(*RUN_COLUMNS).where(*mine).order_by(runs.c.position).limit(1)
    row = connection.execute(query).mappings().first()
    return run_of(row) if row is not None else None


def requeue(connection: Connection, *which: ColumnElement[bool], **values: Any) -> int:
    """Queue these runs again; their former process may write no more. Return how many."""
    return _change(connection, which, status="queued", owner=None, **values)


def wait(connection: Connection, run: RunRow) -> None:
    """Let the run wait for a person: no process works on it."""
    _change(connection, [is_run(run)], status="waiting_approval", owner=None)


def end_cancelled(connection: Connection, run: RunRow, done: DoneEvent) -> None:
    """Close a run that never began."""
    now = database_now(connection)
    ended = {"status": "cancelled", "result": result_of(done), "completed_at": now}
    _change(connection, [is_run(run)], **ended)


def is_run(run: RunRow) -> ColumnElement[bool]:
    """Match the row of one run."""
    return (runs.c.tenant_id == run.tenant_id) & (runs.c.run_id == run.run_id)


def _change(connection: Connection, which: Sequence[ColumnElement[bool]], **values: Any) -> int:
    changed = (
        update(runs)
        .where(*which)
        .values(
            **values,
            # The number grows with every change of owner: see `worker/leases.py`.
            fence=runs.c.fence + 1,
            # The state from which it resumes.
            checkpoint_id=newest_state(connection.dialect.name, runs.c.run_id),
            updated_at=database_now(connection),
        )
    )
    return connection.execute(changed).rowcount


def ask_to_cancel(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    """Note that the run is to be cancelled."""
    now = database_now(connection)
    connection.execute(
        update(runs)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
        .values(cancel_requested_at=now, updated_at=now)
    )
