"""The rows of runs in a copied session: they are over, and counted elsewhere."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert

from dataagent_core.events import DoneEvent, Event, RunStartedEvent
from dataagent_core.session.copies.new_ids import IdMapping
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.state import now
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.runs import agent_executions
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
    rows: list[dict[str, Any]] = []
    for position, run in enumerate(part.runs, 1):
        done = ended[run.run_id]
        assert isinstance(done, DoneEvent)
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
                "created_at": datetime.fromtimestamp(began[run.run_id].timestamp, UTC),
                # Retention of the history starts anew.
                "completed_at": now(),
                "updated_at": now(),
            }
        )
    if rows:
        connection.execute(insert(agent_executions), rows)


def _events_by_run(events: Sequence[Event], kind: type[Event]) -> Mapping[str, Event]:
    return {event.run_id or "": event for event in events if isinstance(event, kind)}
