"""The tool calls of a session: arguments, times, results and receipts (S2).

The journal has calls and outcomes; the log has the arguments.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, select

from dataagent_core.events import ToolCallEvent, from_json
from dataagent_core.session.stores.sql.dialect import is_digest
from dataagent_core.tools.pipeline.call_events import parse_call_key
from dataagent_core.tools.pipeline.outcome import unpack_output
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import elapsed_ms
from dataagent_server.db.tables.conversations import agent_execution_events as events
from dataagent_server.db.tables.conversations import tool_execution_records as records

# How much of one call's result is shown.
TOOL_OUTPUT_BYTES_MAX: Final = 64 * 1024
# How much one page reads: a page that would need more ends earlier, and a single result that is
# larger is not read.
TOOL_PAYLOADS_BYTES_MAX: Final = 16 * 1024 * 1024

# Core names the message that starts a run after the run.
_FIRST_MESSAGE: Final = ":m0"
_SIZE: Final = "payload_bytes"
_WITHOUT_PAYLOAD: Final = [column for column in records.c if column is not records.c.payload]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecution:
    """One call; without an outcome it is running, or was interrupted."""

    position: int
    call_id: str
    run_id: str
    tool_name: str
    args_hash: str
    tool_input: dict[str, Any] | None
    # None in rows of an earlier version.
    step_number: int | None
    # The size of the stored result, and the result if a page may hold it.
    payload_bytes: int | None
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
        """The status, as far as the journal knows it."""
        if self.payload_bytes is None:
            return "running"
        return (self.receipt or {}).get("status", "success")

    @property
    def tool_output(self) -> str | None:
        """The shown result; decompressed each time."""
        if self.payload is not None:
            return unpack_output(self.payload, TOOL_OUTPUT_BYTES_MAX)
        if self.payload_bytes is None:
            return None
        return f"... ({self.payload_bytes} more bytes not shown)"

    @property
    def duration_ms(self) -> int | None:
        """The duration; None for a refused call."""
        return elapsed_ms(self.started_at, self.completed_at)


@dataclass(frozen=True, slots=True)
class ToolExecutionPage:
    """Some calls, and whether there are more after them."""

    calls: list[ToolExecution]
    has_more: bool


def tool_executions(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    *,
    message_id: str | None,
    after: int,
    limit: int,
) -> ToolExecutionPage:
    """List calls in the order they began, after the first `after` of them.

    They are numbered within the list: the table's numbers count the calls of all sessions.
    """
    query = select(*_WITHOUT_PAYLOAD, func.length(records.c.payload).label(_SIZE)).where(
        records.c.tenant_id == tenant_id, records.c.session_id == session_id
    )
    if message_id is not None:
        query = query.where(records.c.run_id == message_id.removesuffix(_FIRST_MESSAGE))
    page = query.order_by(records.c.position).offset(after).limit(limit + 1)
    found = connection.execute(page).mappings().all()
    rows = found[: _count_fitting([row[_SIZE] or 0 for row in found[:limit]])]
    payloads = _read_payloads(connection, rows)
    run_ids = list({row["run_id"] for row in rows})
    calls = {(row["run_id"], _call_key(row)) for row in rows}
    inputs = _read_inputs(connection, tenant_id, session_id, run_ids, calls)
    listed = [
        ToolExecution(
            position=position,
            call_id=_call_key(row),
            run_id=row["run_id"],
            tool_name=row["tool_name"],
            args_hash=row["args_hash"],
            tool_input=inputs.get((row["run_id"], _call_key(row))),
            step_number=row["step_number"],
            payload_bytes=row[_SIZE],
            payload=payloads.get(row["position"]),
            receipt=json.loads(row["receipt"]) if row["receipt"] else None,
            started_at=row["started_at"],
            completed_at=row["completed_at"],
        )
        for position, row in enumerate(rows, after + 1)
    ]
    return ToolExecutionPage(listed, has_more=len(found) > len(listed))


def _count_fitting(sizes: Sequence[int]) -> int:
    """Count the results that one page may read; at least one, so that paging goes on."""
    left = TOOL_PAYLOADS_BYTES_MAX
    for count, size in enumerate(sizes):
        left -= size
        if left < 0:
            return max(count, 1)
    return len(sizes)


def _read_payloads(connection: Connection, rows: Sequence[RowMapping]) -> dict[int, bytes]:
    small = [row["position"] for row in rows if (row[_SIZE] or 0) <= TOOL_PAYLOADS_BYTES_MAX]
    query = select(records.c.position, records.c.payload).where(records.c.position.in_(small))
    return {
        row.position: row.payload for row in connection.execute(query) if row.payload is not None
    }


def _call_key(row: RowMapping) -> str:
    return row["call_key"] if row["long_call_key"] is None else row["long_call_key"]


def _read_inputs(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    run_ids: Sequence[str],
    calls: set[tuple[str, str]],
) -> dict[tuple[str, str], dict[str, Any]]:
    """Read the arguments of these calls; of other calls only the ids are read."""
    mine = (events.c.tenant_id == tenant_id, events.c.session_id == session_id)
    named = select(events.c.seq, events.c.run_id, events.c.event_id).where(
        *mine, events.c.event_type == "tool_call", events.c.run_id.in_(run_ids)
    )
    seqs = [
        row.seq
        for row in connection.execute(named)
        if (row.run_id, parse_call_key(row.event_id, row.run_id)) in calls
        or is_digest(row.event_id)
    ]
    lines = select(events.c.event_data).where(*mine, events.c.seq.in_(seqs))
    # In order: of a call that was repeated after a crash the last one counts.
    found = connection.execute(lines.order_by(events.c.seq)).scalars()
    return {_parse_call(event): event.tool_args for event in _parse_calls(found)}


def _parse_calls(lines: Iterable[str]) -> Iterable[ToolCallEvent]:
    return (event for event in map(from_json, lines) if isinstance(event, ToolCallEvent))


def _parse_call(event: ToolCallEvent) -> tuple[str, str]:
    run_id = event.run_id or ""
    return run_id, parse_call_key(event.event_id or "", run_id)
