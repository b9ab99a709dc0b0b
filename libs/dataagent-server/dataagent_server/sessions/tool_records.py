"""The tool calls of a session: what ran, when, with what, and the receipt it left (S2).

The journal has calls and outcomes; what a call was made with is in the log.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, select

from dataagent_core.events import ToolCallEvent, from_json
from dataagent_core.tools.call import message_of_key
from dataagent_core.tools.call_events import call_key_in
from dataagent_core.tools.outcome import output_in
from dataagent_server.db.clock import elapsed_ms
from dataagent_server.db.tables.conversations import agent_execution_events as events
from dataagent_server.db.tables.conversations import tool_execution_records as records
from dataagent_server.ids import TenantId
from dataagent_server.stores.keys import is_digest

# Core names the message that starts a run after the run.
_FIRST_MESSAGE: Final = ":m0"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecution:
    """One call; without an outcome it is still running, or was cut off."""

    position: int
    call_id: str
    run_id: str
    tool_name: str
    args_hash: str
    tool_input: dict[str, Any] | None
    step_number: int
    payload: bytes | None
    receipt: dict[str, Any] | None
    started_at: datetime | None
    completed_at: datetime | None

    @property
    def message_id(self) -> str:
        """The message the call was made for."""
        return self.run_id + _FIRST_MESSAGE

    @property
    def status(self) -> str:
        """How it went, as far as the journal knows."""
        return "running" if self.payload is None else (self.receipt or {}).get("status", "success")

    @property
    def tool_output(self) -> str | None:
        """What a person is shown of its result; unpacked each time."""
        return None if self.payload is None else output_in(self.payload)

    @property
    def duration_ms(self) -> int | None:
        """How long it took; a call that was refused never began."""
        return elapsed_ms(self.started_at, self.completed_at)


def tool_executions(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    *,
    message_id: str | None,
    after: int,
    limit: int,
) -> list[ToolExecution]:
    """List calls in the order they began, after the first `after` of them.

    They are numbered within the list: the table's own numbers count everybody's calls.
    """
    query = select(records).where(
        records.c.tenant_id == tenant_id, records.c.session_id == session_id
    )
    if message_id is not None:
        query = query.where(records.c.run_id == message_id.removesuffix(_FIRST_MESSAGE))
    page = query.order_by(records.c.position).offset(after).limit(limit)
    rows = connection.execute(page).mappings().all()
    run_ids = list({row["run_id"] for row in rows})
    steps = _step_numbers(connection, tenant_id, run_ids)
    calls = {(row["run_id"], _key(row)) for row in rows}
    inputs = _inputs(connection, tenant_id, session_id, run_ids, calls)
    return [
        ToolExecution(
            position=position,
            call_id=_key(row),
            run_id=row["run_id"],
            tool_name=row["tool_name"],
            args_hash=row["args_hash"],
            tool_input=inputs.get((row["run_id"], _key(row))),
            step_number=steps[row["run_id"], message_of_key(_key(row))],
            payload=row["payload"],
            receipt=json.loads(row["receipt"]) if row["receipt"] else None,
            started_at=row["started_at"],
            completed_at=row["completed_at"],
        )
        for position, row in enumerate(rows, after + 1)
    ]


def _key(row: RowMapping) -> str:
    return row["call_key"] if row["long_call_key"] is None else row["long_call_key"]


def _step_numbers(
    connection: Connection, tenant_id: TenantId, run_ids: Sequence[str]
) -> dict[tuple[str, str], int]:
    """Count, in each run, the model's messages that called tools; by run and message."""
    query = select(records.c.run_id, records.c.call_key, records.c.long_call_key).where(
        records.c.tenant_id == tenant_id, records.c.run_id.in_(run_ids)
    )
    last: defaultdict[str, int] = defaultdict(int)
    numbers: dict[tuple[str, str], int] = {}
    for row in connection.execute(query.order_by(records.c.position)).mappings():
        step = row["run_id"], message_of_key(_key(row))
        if step not in numbers:
            last[row["run_id"]] += 1
            numbers[step] = last[row["run_id"]]
    return numbers


def _inputs(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    run_ids: Sequence[str],
    calls: set[tuple[str, str]],
) -> dict[tuple[str, str], dict[str, Any]]:
    """Read what these calls were made with; of other calls only the names are read."""
    mine = (events.c.tenant_id == tenant_id, events.c.session_id == session_id)
    named = select(events.c.seq, events.c.run_id, events.c.event_id).where(
        *mine, events.c.event_type == "tool_call", events.c.run_id.in_(run_ids)
    )
    seqs = [
        row.seq
        for row in connection.execute(named)
        if (row.run_id, call_key_in(row.event_id, row.run_id)) in calls or is_digest(row.event_id)
    ]
    lines = select(events.c.event_data).where(*mine, events.c.seq.in_(seqs))
    # In order: a call that was made again after a crash counts as it was made last.
    found = connection.execute(lines.order_by(events.c.seq)).scalars()
    return {_call_of(event): event.tool_args for event in _calls(found)}


def _calls(lines: Iterable[str]) -> Iterable[ToolCallEvent]:
    return (event for event in map(from_json, lines) if isinstance(event, ToolCallEvent))


def _call_of(event: ToolCallEvent) -> tuple[str, str]:
    run_id = event.run_id or ""
    return run_id, call_key_in(event.event_id or "", run_id)
