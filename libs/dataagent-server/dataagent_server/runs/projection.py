"""Updates the rows beside the log, in the transaction that appends the events.

So a request in the log is a row that can be answered, a `done` is a run that is over, a step is
marked, a plan stands where its events left it, a sub-agent's work is an activity, what a run begins
to use is kept for it, and a tool call is in the audit log, or none of it happened.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, not_, or_, update

from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    ToolResultEvent,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import database_now, elapsed_ms_sql
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.hitl.requests import (
    RequestTimeouts,
    close_request,
    open_request,
    withdraw_requests,
)
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.runs.history.activities import (
    close_activities,
    has_open_activities,
    write_activities,
)
from dataagent_server.runs.history.graph_states import newest_state
from dataagent_server.runs.history.markers import write_markers
from dataagent_server.runs.history.plan_rows import close_plan, has_open_plan, write_progress
from dataagent_server.runs.history.run_copies import remove_copies, write_copies
from dataagent_server.runs.run_row import RunStatus, result_of


@dataclass(frozen=True, slots=True)
class Projection:
    """Keeps runs, requests and audit consistent with the log."""

    audit: AuditTrail
    timeouts: RequestTimeouts

    def apply(self, connection: Connection, tenant: str, events: Sequence[Event]) -> None:
        """Apply the events of one append."""
        tenant_id = TenantId(tenant)
        audited: list[ToolResultEvent] = []
        ended: list[DoneEvent] = []
        for event in events:
            match event:
                case HITLRequestEvent():
                    open_request(connection, tenant_id, event, self.timeouts)
                case HITLAnswerEvent():
                    close_request(
                        connection,
                        tenant_id,
                        event.interrupt_id,
                        status="superseded" if event.superseded else "answered",
                        decision=event.decision,
                        by=event.by,
                    )
                case ErrorEvent():
                    _set(connection, tenant_id, event, error=event.error, error_code=event.code)
                case DoneEvent():
                    withdraw_requests(connection, tenant_id, event.run_id or "")
                    ended.append(event)
                case ToolResultEvent():
                    audited.append(event)
                case _:
                    pass
        write_copies(connection, tenant_id, events)
        write_markers(connection, tenant_id, events)
        write_activities(connection, tenant_id, events)
        write_progress(connection, tenant_id, events)
        # After what the same append began.
        for event in ended:
            _end(connection, tenant_id, event)
        # Last, because the tenant's chain is locked from here to the commit.
        for event in audited:
            self._record(connection, tenant_id, event)

    def _record(self, connection: Connection, tenant_id: TenantId, event: ToolResultEvent) -> None:
        detail = {
            "tool": event.tool_name,
            "status": event.status,
            "session_id": event.session_id,
            "seq": event.seq,
            "receipt": event.receipt,
        }
        self.audit.record(
            connection, tenant_id, f"run:{event.run_id}", "tool.call", event.tool_call_id, detail
        )


def status_after(done: DoneEvent) -> RunStatus:
    """Return the status of a run that ended so."""
    if done.cancelled:
        return "cancelled"
    return "completed" if done.reason == "completed" else "failed"


def _end(connection: Connection, tenant_id: TenantId, done: DoneEvent) -> None:
    dialect, now = connection.dialect.name, database_now(connection)
    ended: dict[str, Any] = {
        "status": status_after(done),
        "owner": None,
        "result": result_of(done),
        "token_usage": done.token_usage,
        "checkpoint_id": newest_state(dialect, runs.c.run_id),
        "completed_at": now,
        "total_duration_ms": elapsed_ms_sql(dialect, runs.c.started_at, now),
    }
    # Most runs leave nothing behind, and for them this is the only statement.
    left = (
        runs.c.has_copies,
        has_open_activities(tenant_id, done),
        has_open_plan(tenant_id, done),
    )
    if not _set(connection, tenant_id, done, not_(or_(*left)), **ended):
        _set(connection, tenant_id, done, has_copies=False, **ended)
        remove_copies(connection, tenant_id, done.run_id or "")
        close_activities(connection, tenant_id, done)
        completed = ended["status"] == "completed"
        close_plan(connection, tenant_id, done.run_id or "", completed=completed)


def _set(
    connection: Connection,
    tenant_id: TenantId,
    event: Event,
    *which: ColumnElement[bool],
    **values: Any,
) -> int:
    changed = (
        update(runs)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id == event.run_id, *which)
        .values(**values, updated_at=database_now(connection))
    )
    return connection.execute(changed).rowcount
