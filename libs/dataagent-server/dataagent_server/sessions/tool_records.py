"""The tool calls of a session, from the journal: what ran, when, and the receipt it left."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from dataagent_server.db.tables.conversations import tool_execution_records as records
from dataagent_server.ids import TenantId

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
    status: str
    receipt: dict[str, Any] | None
    started_at: datetime | None
    completed_at: datetime | None

    @property
    def message_id(self) -> str:
        """The message the call was made for."""
        return self.run_id + _FIRST_MESSAGE


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
    hidden = {"tenant_id", "session_id", "payload", "position"}
    columns = [c for c in records.c if c.name not in hidden]
    finished = records.c.payload.is_not(None).label("finished")
    query = select(*columns, finished).where(
        records.c.tenant_id == tenant_id, records.c.session_id == session_id
    )
    if message_id is not None:
        query = query.where(records.c.run_id == message_id.removesuffix(_FIRST_MESSAGE))
    page = query.order_by(records.c.position).offset(after).limit(limit)
    return [_execution(after + n, row) for n, row in enumerate(connection.execute(page), 1)]


def _execution(position: int, row: Any) -> ToolExecution:
    receipt = json.loads(row.receipt) if row.receipt else None
    status = (receipt or {}).get("status", "success") if row.finished else "running"
    return ToolExecution(
        position=position,
        call_id=row.call_key if row.long_call_key is None else row.long_call_key,
        run_id=row.run_id,
        tool_name=row.tool_name,
        args_hash=row.args_hash,
        status=status,
        receipt=receipt,
        started_at=row.started_at,
        completed_at=row.completed_at,
    )
