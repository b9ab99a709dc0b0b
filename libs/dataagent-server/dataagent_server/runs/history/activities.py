"""`agent_activity_logs`: what each sub-agent did, derived from the log (S2 §13).

Written with the events (`runs/projection.py`). A row is named by its run and its call, and every
value comes from an event, so that the rows of a session can be written anew from its log. A task of
a sub-agent is one invocation in the statistics, however often a crash made it begin: it is counted
where its row is completed, which happens once.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Connection, Table, delete, exists, func, select, update

from dataagent_core.events import (
    DoneEvent,
    Event,
    StepFinishEvent,
    SubAgentEvent,
    ToolCallEvent,
    ToolResultEvent,
    from_json,
)
from dataagent_core.permissions.tool_groups import TASK
from dataagent_core.subagents.route import make_assigned_id
from dataagent_core.tools.pipeline.call_events import parse_call_key
from dataagent_server.agents.subagents.statistics_rows import Invocation, add_invocation
from dataagent_server.agents.subagents.subagent_rows import find_named
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.conversations import agent_execution_events as log
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.subagents import ACTIVITY_NAME_CHARS_MAX, agent_activity_logs
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.runs.limits import ACTIVITY_DATA_CHARS_MAX

table: Final[Table] = agent_activity_logs
_TYPES: Final = ("subagent", "tool_call", "tool_result", "step_finish", "done")
_IS_OPEN: Final = table.c.status == "running"
_MS: Final = 1000
# The later tasks of one `task` call have its key and a number.
_LATER_TASK: Final = re.compile(r"/\d+\Z")
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def write_activities(
    connection: Connection, tenant_id: TenantId, events: Sequence[Event], *, count: bool = True
) -> None:
    """Write the activities of one append, whose events all belong to one run."""
    telling = [event for event in events if _tells(event)]
    if telling:
        first = telling[0]
        writer = _Writer(connection, tenant_id, first.session_id or "", first.run_id or "", count)
        for event in telling:
            writer.write(event)


def has_open_activities(tenant_id: TenantId, done: DoneEvent) -> ColumnElement[bool]:
    """Return the condition that a run which ends has activities that are under way."""
    return exists().where(*_of_run(tenant_id, done.session_id, done.run_id), _IS_OPEN)


def close_activities(connection: Connection, tenant_id: TenantId, done: DoneEvent) -> None:
    """End what a cancel or a crash left open."""
    mine = _of_run(tenant_id, done.session_id, done.run_id)
    closed = update(table).where(*mine, _IS_OPEN)
    connection.execute(closed.values(status="cancelled", completed_at=_moment(done)))


def rebuild_activities(connection: Connection, tenant_id: TenantId, session_id: str) -> None:
    """Write the activities of a session anew from its log; statistics stay as they are."""
    mine = (table.c.tenant_id == tenant_id, table.c.session_id == session_id)
    connection.execute(delete(table).where(*mine))
    lines = (
        select(log.c.event_data)
        .where(log.c.tenant_id == tenant_id, log.c.session_id == session_id)
        .where(log.c.event_type.in_(_TYPES))
        .order_by(log.c.seq)
    )
    for line in connection.execute(lines).scalars().all():
        event = from_json(line)
        write_activities(connection, tenant_id, [event], count=False)
        if isinstance(event, DoneEvent):
            close_activities(connection, tenant_id, event)


def _tells(event: Event) -> bool:
    match event:
        case SubAgentEvent(mode="background"):
            # The run of its own tells what it does.
            return False
        case ToolResultEvent() if event.tool_name == TASK:
            return True
        case SubAgentEvent() | ToolCallEvent() | ToolResultEvent() | StepFinishEvent():
            return event.subagent_id is not None
        case _:
            return False


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the rows of one run."""

    connection: Connection
    tenant_id: TenantId
    session_id: str
    run_id: str
    count: bool

    def write(self, event: Event) -> None:
        match event:
            case SubAgentEvent(phase="assigned" | "started"):
                self._begin_task(event)
            case SubAgentEvent():
                self._end_task(event)
            case ToolCallEvent():
                self._add(event, "tool_call", event.tool_name, (self._find_key(event),))
            case ToolResultEvent():
                self._end_call(event)
            case StepFinishEvent():
                self._add(event, "model_call", "model", (event.event_id or "",))
            case _:
                pass

    def _begin_task(self, event: SubAgentEvent) -> None:
        project_id = self._find_project()
        chosen = self._find_assigned(event) or event
        known = {"mode": event.mode, "confidence": chosen.confidence, "reason": chosen.reason}
        row = self._row(event, "subagent", event.name) | {
            "id": self._id(event.subagent_id),
            "project_id": project_id,
            "agent_id": event.agent_id or self._find_agent(project_id, event.name),
            "parent_activity_id": self._id(event.parent_id) if event.parent_id else None,
            "input_data": _bound({"task": event.task}),
            "metadata": {"subagent_id": event.subagent_id, **known},
        }
        insert_ignore(self.connection, table, row)

    def _find_assigned(self, event: SubAgentEvent) -> SubAgentEvent | None:
        """Find what the router said when it chose this sub-agent for the run; it knows no tasks."""
        if event.parent_id is not None or event.reason:
            return None
        query = select(log.c.event_data).where(
            log.c.tenant_id == self.tenant_id,
            log.c.session_id == self.session_id,
            log.c.event_id == make_assigned_id(self.run_id, event.name),
        )
        line = self.connection.execute(query).scalar()
        found = None if line is None else from_json(line)
        if not isinstance(found, SubAgentEvent) or found.agent_id != event.agent_id:
            return None
        return found

    def _end_task(self, event: SubAgentEvent) -> None:
        failed = event.phase == "failed"
        row = self._find(self._id(event.subagent_id))
        if row is None or row["completed_at"] is not None:
            return
        duration_ms, moment = event.duration_ms or 0, _moment(event)
        self._update(
            table.c.id == row["id"],
            status="failed" if failed else "completed",
            error_message=event.reason[:ACTIVITY_DATA_CHARS_MAX] if failed else None,
            duration_ms=duration_ms,
            completed_at=moment,
            metadata=row["metadata"] | {"cost": event.cost, "currency": event.currency},
            **_tokens(event.tokens),
        )
        if self.count:
            one = Invocation(
                day=moment.date().isoformat(),
                succeeded=not failed,
                duration_ms=duration_ms,
                tokens=event.tokens.get("total_tokens", 0),
                cost=event.cost or 0.0,
            )
            add_invocation(self.connection, self.tenant_id, row["agent_id"], one)

    def _end_call(self, event: ToolResultEvent) -> None:
        if event.tool_name == TASK:
            self._note_report(event)
        activity_id = self._find_open_call(event)
        if activity_id is None:
            return
        failed = event.status != "success"
        output = _bound({"result": event.result})
        self._update(
            table.c.id == activity_id,
            status="failed" if failed else "completed",
            error_message=str(event.result)[:ACTIVITY_DATA_CHARS_MAX] if failed else None,
            output_data=output,
            duration_ms=event.duration_ms or 0,
            completed_at=_moment(event),
        )

    def _find_key(self, event: ToolCallEvent) -> str:
        """Return the key of a call: some models reuse an id in every message."""
        key = parse_call_key(event.event_id or "", self.run_id)
        return key if key.endswith(event.tool_call_id) else event.tool_call_id

    def _find_open_call(self, event: ToolResultEvent) -> str | None:
        """Find the row of the call that a result answers: the newest of its id without one."""
        if event.subagent_id is None:
            return None
        query = (
            select(table.c.id, table.c["metadata"])
            .where(
                *self._mine(),
                table.c.type == "tool_call",
                table.c.status == "running",
                table.c.parent_activity_id == self._id(event.subagent_id),
            )
            .order_by(table.c.started_at.desc())
        )
        found = self.connection.execute(query).all()
        return next(
            (one for one, known in found if known["tool_call_id"] == event.tool_call_id), None
        )

    def _note_report(self, event: ToolResultEvent) -> None:
        """Put the result of a `task` call into the rows of its tasks."""
        giver = None if event.subagent_id is None else self._id(event.subagent_id)
        query = select(table.c.id, table.c["metadata"], table.c.output_data).where(
            *self._mine(), table.c.type == "subagent", table.c.parent_activity_id == giver
        )
        ends = f":{event.tool_call_id}"
        for activity_id, known, output in self.connection.execute(query).all():
            # One with a report is of an earlier call of the same id.
            if not output and _LATER_TASK.sub("", known["subagent_id"]).endswith(ends):
                report = _bound({"report": event.result})
                self._update(table.c.id == activity_id, output_data=report)

    def _add(self, event: Event, kind: str, name: str, key: tuple[str, ...]) -> None:
        task = self._find(self._id(event.subagent_id))
        if task is None:
            return
        row = self._row(event, kind, name) | {
            "id": self._id(event.subagent_id, *key),
            "project_id": task["project_id"],
            "agent_id": task["agent_id"],
            "parent_activity_id": task["id"],
        }
        if isinstance(event, ToolCallEvent):
            row |= {
                "input_data": _bound(event.tool_args),
                "metadata": {"tool_call_id": event.tool_call_id},
            }
        elif isinstance(event, StepFinishEvent):
            moment, began = _moment(event), self._find_last_end(task)
            row |= _tokens(event.tokens) | {
                "status": "completed",
                "started_at": began,
                "completed_at": moment,
                "duration_ms": max(0, round((moment - began).total_seconds() * _MS)),
                "metadata": {"cost": event.cost, "currency": event.currency},
            }
        insert_ignore(self.connection, table, row)

    def _row(self, event: Event, kind: str, name: str) -> dict[str, Any]:
        return {
            "tenant_id": self.tenant_id,
            "session_id": event.session_id,
            "run_id": self.run_id,
            "type": kind,
            "status": "running",
            "name": _UNSTORABLE.sub("\ufffd", name)[:ACTIVITY_NAME_CHARS_MAX],
            "input_data": {},
            "output_data": {},
            "error_message": None,
            "prompt_tokens": None,
            "completion_tokens": None,
            "total_tokens": None,
            "duration_ms": 0,
            "started_at": _moment(event),
            "completed_at": None,
            "metadata": {},
        }

    def _id(self, *parts: str | None) -> str:
        text = json.dumps([self.run_id, *parts])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _mine(self) -> tuple[ColumnElement[bool], ...]:
        return _of_run(self.tenant_id, self.session_id, self.run_id)

    def _find(self, activity_id: str) -> Any:
        query = select(table).where(table.c.tenant_id == self.tenant_id, table.c.id == activity_id)
        return self.connection.execute(query).mappings().first()

    def _update(self, which: ColumnElement[bool], **values: Any) -> None:
        self.connection.execute(update(table).where(*self._mine(), which).values(values))

    def _find_last_end(self, task: Any) -> datetime:
        """Return when the task's last call ended: since then it has waited for the model."""
        ended = select(func.max(table.c.completed_at)).where(
            *self._mine(), table.c.parent_activity_id == task["id"]
        )
        last: datetime | None = self.connection.execute(ended).scalar_one()
        return last or task["started_at"]

    def _find_project(self) -> str | None:
        query = select(runs.c.project_id).where(
            runs.c.tenant_id == self.tenant_id, runs.c.run_id == self.run_id
        )
        return self.connection.execute(query).scalar()

    def _find_agent(self, project_id: str | None, name: str) -> str:
        """Find the id of the sub-agent that a name means, for logs whose events do not say it."""
        for scope in (project_id, None):
            found = find_named(self.connection, self.tenant_id, scope, name)
            if found is not None:
                return found.id
        return name


def _of_run(
    tenant_id: TenantId, session_id: str | None, run_id: str | None
) -> tuple[ColumnElement[bool], ...]:
    # With the session, because the index has it before the run.
    return (
        table.c.tenant_id == tenant_id,
        table.c.session_id == session_id,
        table.c.run_id == run_id,
    )


def _moment(event: Event) -> datetime:
    return datetime.fromtimestamp(event.timestamp, UTC)


def _tokens(tokens: dict[str, int]) -> dict[str, int | None]:
    return {
        "prompt_tokens": tokens.get("input_tokens"),
        "completion_tokens": tokens.get("output_tokens"),
        "total_tokens": tokens.get("total_tokens"),
    }


def _bound(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Shorten what is too long; the log has all of it."""
    text = json.dumps(data)
    if len(text) <= ACTIVITY_DATA_CHARS_MAX:
        return data
    return {"beginning": text[:ACTIVITY_DATA_CHARS_MAX], "chars": len(text)}
