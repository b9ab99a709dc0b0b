"""`execution_checkpoints`: S2's checkpoints of a run, pointing into LangGraph's tables.

Written with the events they are derived from (`runs/projection.py`), so a marker exists exactly
when its event does. LangGraph has the state itself; it is kept for a session's newest run, and
deleted with the markers (`stores/retention.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, Select, bindparam, func, insert, select

from dataagent_core.events import Event
from dataagent_core.session.state import now
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.runs import execution_checkpoints as markers
from dataagent_server.runs.history.graph_states import STATES_TABLES, newest_state
from dataagent_server.runs.history.steps import RunPosition, StepKind, may_mark, steps_in


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMarker:
    """A stored checkpoint of a run."""

    position: int
    run_id: str
    message_id: str | None
    kind: StepKind
    checkpoint_id: str | None
    state: dict[str, Any]
    step_number: int | None
    created_at: datetime


def _position_query(dialect: str) -> Select[*tuple[Any, ...]]:
    """Select the graph's newest state and the run's last marker together."""
    mine = (markers.c.tenant_id == bindparam("tenant"), markers.c.run_id == bindparam("run"))
    last = [
        select(wanted).where(*mine).order_by(markers.c.id.desc()).limit(1).scalar_subquery()
        for wanted in (markers.c.checkpoint_type, markers.c.checkpoint_id)
    ]
    return select(newest_state(dialect, bindparam("run")), *last)


# Built once: it runs for every call of every run, and building it cost more than running it.
_POSITION: Final = {dialect: _position_query(dialect) for dialect in STATES_TABLES}
_INSERT: Final = insert(markers)
_LISTED: Final = (
    markers.c.run_id,
    markers.c.message_id,
    markers.c.checkpoint_type.label("kind"),
    markers.c.checkpoint_id,
    markers.c.execution_state.label("state"),
    markers.c.step_number,
    markers.c.created_at,
)


def write_markers(connection: Connection, tenant_id: TenantId, events: Sequence[Event]) -> None:
    """Write the markers of one append, whose events all belong to one run."""
    telling = [event for event in events if may_mark(event)]
    if not telling:
        return
    run_id = telling[0].run_id or ""
    parameters = {"tenant": tenant_id, "run": run_id}
    newest, kind, checkpoint_id = connection.execute(
        _POSITION[connection.dialect.name], parameters
    ).one()
    last = RunPosition(kind, checkpoint_id)
    moment = now()
    rows = [
        {
            "tenant_id": tenant_id,
            "session_id": step.event.session_id,
            "run_id": run_id,
            "message_id": f"{run_id}:m0",
            "checkpoint_type": step.kind,
            "checkpoint_id": newest,
            "execution_state": {"seq": step.event.seq, **step.state},
            "step_number": step.step_number,
            "created_at": moment,
        }
        for step in steps_in(telling, last, newest)
    ]
    if rows:
        connection.execute(_INSERT, rows if len(rows) > 1 else rows[0])


def markers_of_session(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    *,
    run_id: str | None = None,
    after: int = 0,
    limit: int,
) -> list[RunMarker]:
    """List a session's markers in the order they were written, after the first `after`."""
    query = select(*_LISTED).where(
        markers.c.tenant_id == tenant_id, markers.c.session_id == session_id
    )
    if run_id is not None:
        query = query.where(markers.c.run_id == run_id)
    page = connection.execute(query.order_by(markers.c.id).offset(after).limit(limit)).mappings()
    # Numbered within the list: the table's numbers count the markers of all sessions.
    return [_make_marker(row, after + n) for n, row in enumerate(page, 1)]


def last_marker(connection: Connection, tenant_id: TenantId, run_id: str) -> RunMarker | None:
    """Return the last marker of a run."""
    mine = select(*_LISTED).where(markers.c.tenant_id == tenant_id, markers.c.run_id == run_id)
    counted = select(func.count()).select_from(mine.subquery())
    row = connection.execute(mine.order_by(markers.c.id.desc()).limit(1)).mappings().first()
    if row is None:
        return None
    return _make_marker(row, connection.execute(counted).scalar_one())


def _make_marker(row: RowMapping, position: int) -> RunMarker:
    return RunMarker(position=position, **row)
