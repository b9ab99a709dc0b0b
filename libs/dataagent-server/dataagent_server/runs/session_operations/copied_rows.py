"""The rows of runs in a copied session: they are over, and counted elsewhere."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert

from dataagent_core.events import DoneEvent, Event, RunStartedEvent
from dataagent_core.planning import WorkPlan
from dataagent_core.session.copies.new_ids import IdMapping
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.state import now
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import elapsed_ms
from dataagent_server.db.tables.runs import agent_executions
from dataagent_server.runs.history.plan_progress import end_plan, progress_of, read_copied_plan
from dataagent_server.runs.history.plan_rows import insert_copies
from dataagent_server.runs.projection import status_after
from dataagent_server.runs.run_row import AGENT_TYPE, result_of
from dataagent_server.stores.session_lists import ListedSession


def insert_copied_runs(
    connection: Connection,
    tenant_id: TenantId,
    made: ListedSession,
    part: SessionPart,
    ids: IdMapping,
) -> None:
    """Insert them, so that they are listed and deleted with their session."""
    session = made.session
    contents = {message.message_id: message.content for message in part.messages}
    began = _events_by_run(part.events, RunStartedEvent)
    ended = _events_by_run(part.events, DoneEvent)
    of_run: defaultdict[str, list[Event]] = defaultdict(list)
    for event in part.events:
        of_run[event.run_id or ""].append(event)
    rows: list[dict[str, Any]] = []
    plans: list[WorkPlan] = []
    for position, run in enumerate(part.runs, 1):
        done = ended[run.run_id]
        assert isinstance(done, DoneEvent)
        plan = _find_plan(part.events, run.run_id, done)
        if plan is not None:
            plans.append(replace(plan, id=ids.run_id(run.run_id)))
        times = [
            datetime.fromtimestamp(event.timestamp, UTC) for event in (began[run.run_id], done)
        ]
        rows.append(
            {
                "tenant_id": tenant_id,
                "run_id": ids.run_id(run.run_id),
                "trace_id": ids.run_id(run.run_id),
                "session_id": session.session_id,
                "user_id": session.user_id,
                "project_id": made.project_id,
                "assistant_id": session.assistant_id,
                "agent_type": AGENT_TYPE,
                "message_id": ids.message_id(run.message_id),
                "input": contents.get(run.message_id, ""),
                "status": status_after(done),
                "result": result_of(done),
                "position": position,
                "fence": 0,
                "attempt": 0,
                "lost_attempts": 0,
                "progress_seq": 0,
                "created_at": times[0],
                **asdict(progress_of(of_run[run.run_id], plan)),
                # Where a pattern was used, it was counted.
                "workflow_pattern_id": None,
                "total_duration_ms": elapsed_ms(*times),
                # Retention of the history starts anew.
                "completed_at": now(),
                "updated_at": now(),
            }
        )
    if rows:
        connection.execute(insert(agent_executions), rows)
        insert_copies(connection, tenant_id, session.session_id, plans)


def _find_plan(events: Sequence[Event], run_id: str, done: DoneEvent) -> WorkPlan | None:
    plan = read_copied_plan(events, run_id)
    if plan is None or not plan.is_open:
        return plan
    return end_plan(plan, completed=status_after(done) == "completed")


def _events_by_run(events: Sequence[Event], kind: type[Event]) -> Mapping[str, Event]:
    return {event.run_id or "": event for event in events if isinstance(event, kind)}
