"""Lists of runs: in pages, with the beginning of their messages, which may be long.

Of a queued message more is read, so that a client can show what it may cancel.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, case, func, select, type_coerce

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.runs import OPEN
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.types import Blob
from dataagent_server.runs.limits import (
    HISTORY_PAGE_RUNS,
    QUEUED_MESSAGE_BYTES_SHOWN_MAX,
    RUN_MESSAGE_BYTES_SHOWN_MAX,
)
from dataagent_server.runs.run_row import RunRow, RunStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRun:
    """One run of a list; `queued_message` is set while it is queued."""

    tenant_id: TenantId
    run_id: str
    session_id: str
    user_id: str
    project_id: str | None
    assistant_id: str
    model: str | None
    message_id: str
    status: RunStatus
    attempt: int
    cancel_requested: bool
    message: str
    queued_message: str | None
    error: str | None
    error_code: str | None
    token_usage: dict[str, Any] | None
    agent_type: str
    checkpoint_id: str | None
    trace_id: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None


def runs_of_session(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    *,
    only_open: bool,
    after: str | None = None,
    limit: int = HISTORY_PAGE_RUNS,
) -> list[ListedRun]:
    """List a session's runs, oldest first; `after` is the last run of the page before."""
    mine = (runs.c.tenant_id == tenant_id, runs.c.session_id == session_id)
    query = select(*_COLUMNS).where(*mine)
    if only_open:
        query = query.where(runs.c.status.in_(OPEN))
    if after is not None:
        last = select(runs.c.position).where(*mine, runs.c.run_id == after).scalar_subquery()
        query = query.where(runs.c.position > func.coalesce(last, 0))
    page = query.order_by(runs.c.position).limit(limit)
    return [_make_listed(row) for row in connection.execute(page).mappings()]


def history_of_user(
    connection: Connection,
    tenant_id: TenantId,
    user_id: str,
    *,
    project_id: str | None = None,
    only_open: bool = False,
    before: str | None = None,
    limit: int = HISTORY_PAGE_RUNS,
) -> list[ListedRun]:
    """List a user's runs, newest first; `before` is the last run of the page before."""
    # A run of another user is no position in this list: it would tell when that run began.
    mine = (runs.c.tenant_id == tenant_id, runs.c.user_id == user_id)
    query = select(*_COLUMNS).where(*mine)
    if project_id is not None:
        query = query.where(runs.c.project_id == project_id)
    if only_open:
        query = query.where(runs.c.status.in_(OPEN))
    place = select(runs.c.created_at, runs.c.run_id).where(*mine, runs.c.run_id == before)
    last = None if before is None else connection.execute(place).first()
    if last is not None:
        query = query.where(
            (runs.c.created_at < last.created_at)
            | ((runs.c.created_at == last.created_at) & (runs.c.run_id < last.run_id))
        )
    ordered = query.order_by(runs.c.created_at.desc(), runs.c.run_id.desc()).limit(limit)
    return [_make_listed(row) for row in connection.execute(ordered).mappings()]


def message_shown(run: RunRow | ListedRun) -> str:
    """Return the beginning of the message; empty for a run without one."""
    if isinstance(run, ListedRun):
        return run.message
    return _decode_cut(run.text.encode("utf-8", "surrogatepass")[:RUN_MESSAGE_BYTES_SHOWN_MAX])


def queued_message(run: RunRow | ListedRun) -> str | None:
    """Return the beginning of a queued message."""
    if isinstance(run, ListedRun):
        return run.queued_message
    if run.status != "queued":
        return None
    return _decode_cut(run.text.encode("utf-8", "surrogatepass")[:QUEUED_MESSAGE_BYTES_SHOWN_MAX])


_PLAIN = [c for c in runs.c if c.name in ListedRun.__slots__]


def _select_first_bytes(count: int) -> ColumnElement[bytes]:
    return func.substr(type_coerce(runs.c.input, Blob), 1, count, type_=Blob)


_COLUMNS = (
    *_PLAIN,
    runs.c.cancel_requested_at,
    _select_first_bytes(RUN_MESSAGE_BYTES_SHOWN_MAX).label("message_bytes"),
    case((runs.c.status == "queued", _select_first_bytes(QUEUED_MESSAGE_BYTES_SHOWN_MAX))).label(
        "queued_bytes"
    ),
)


def _make_listed(row: RowMapping) -> ListedRun:
    values = {column.name: row[column.name] for column in _PLAIN}
    cut = row["queued_bytes"]
    return ListedRun(
        **values,
        cancel_requested=row["cancel_requested_at"] is not None,
        # A compaction has no message.
        message=_decode_cut(bytes(row["message_bytes"] or b"")),
        queued_message=None if cut is None else _decode_cut(bytes(cut)),
    )


def _decode_cut(cut: bytes) -> str:
    # The cut may be inside a character, and some characters of a model cannot be shown.
    return cut.decode("utf-8", "ignore")
