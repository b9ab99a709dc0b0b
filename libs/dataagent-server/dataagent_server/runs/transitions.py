"""Changes of a run that several parts of the server cause, each inside one transaction.

Run, requests and log change together: the effect of an answer on a run is decided where the answer
is written, so no answer can be lost.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import NotFoundError
from dataagent_core.events import DoneEvent, Event, HITLAnswerEvent, RunStartedEvent
from dataagent_core.session.state import Message
from dataagent_core.session.stores.sql.event_appends import Append, prepare_event
from dataagent_core.session.stores.sql.message_store import insert_message
from dataagent_server.common.ids import TenantId
from dataagent_server.db.store_connection import sql_connection
from dataagent_server.hitl import requests
from dataagent_server.hitl.requests import HumanRequest
from dataagent_server.runs import run_rows
from dataagent_server.runs.run_row import RunRow
from dataagent_server.stores.appends import commit_appends
from dataagent_server.stores.session_modes import mode_in


def cancel(
    connection: Connection, tenant_id: TenantId, run_id: str
) -> tuple[RunRow, Sequence[Event]]:
    """Cancel a run: at once if no process works on it yet, else by a request to its process."""
    run = run_rows.find_run(connection, tenant_id, run_id, locked=True)
    if run is None or run.over:
        raise NotFoundError(f"run {run_id!r:.100} is over; nothing was cancelled.")
    run_rows.ask_to_cancel(connection, tenant_id, run_id)
    if run.status == "waiting_approval":
        # Resumed only to be ended: its open requests are withdrawn on the way.
        run_rows.requeue(connection, run_rows.is_run(run))
    if run.status != "queued" or run.attempt:
        return run, []
    # It never began. It ends in the log too, for the readers there.
    started = RunStartedEvent(
        message_id=run.message_id,
        model="",
        assistant_id=run.assistant_id,
        mode=mode_in(connection, tenant_id, run.session_id),
    )
    if run.text:
        # With its context, which says whose words it holds.
        message = Message(
            message_id=run.message_id,
            session_id=run.session_id,
            role="user",
            content=run.text,
            metadata=run.context,
        )
        insert_message(sql_connection(connection), tenant_id, message)
    done = DoneEvent(cancelled=True, reason="user_cancelled")
    events = _append(connection, run, [started, done])
    run_rows.end_cancelled(connection, run, done)
    return run, events


def answer(
    connection: Connection, request: HumanRequest, decision: dict[str, Any], by: str
) -> Sequence[Event]:
    """Take the first answer to a request, and resume its run when it has all answers."""
    run = run_rows.find_run(connection, request.tenant_id, request.run_id, locked=True)
    closed = (
        run is not None
        and not run.over
        and requests.close_request(
            connection,
            request.tenant_id,
            request.interrupt_id,
            status="answered",
            decision=decision,
            by=by,
        )
    )
    if run is None or not closed:
        raise requests.already_answered(request.interrupt_id)
    given = HITLAnswerEvent(
        event_id=f"answer:{run.run_id}:{request.interrupt_id}",
        interrupt_id=request.interrupt_id,
        kind=request.kind,
        decision=decision,
        by=by,
    )
    events = _append(connection, run, [given])
    if run.status == "waiting_approval" and _is_ready(connection, run):
        run_rows.requeue(connection, run_rows.is_run(run))
    return events


def rest(connection: Connection, run: RunRow) -> None:
    """End a segment at requests: let the run wait, or go on if all are answered."""
    held = run_rows.find_run(connection, run.tenant_id, run.run_id, locked=True)
    if held is None or held.fence != run.fence or held.status != "running":
        return
    if held.cancel_requested or _is_ready(connection, held):
        run_rows.requeue(connection, run_rows.is_run(held))
    else:
        run_rows.wait(connection, held)


def _is_ready(connection: Connection, run: RunRow) -> bool:
    """Return whether a waiting run has every answer it needs, or one that ends it."""
    known = requests.list_requests(connection, run.tenant_id, run_id=run.run_id, only_open=False)
    ended = any((r.decision or {}).get("type") in {"reject", "stop"} for r in known)
    return ended or all(r.status != "open" for r in known)


def _append(connection: Connection, run: RunRow, events: Sequence[Event]) -> Sequence[Event]:
    item = Append(
        tenant_id=run.tenant_id,
        session_id=run.session_id,
        run_id=run.run_id,
        fence=None,
        events=[prepare_event(event, run.session_id, run.run_id) for event in events],
        journal=(),
    )
    (stored,) = commit_appends(connection, [item], check_known=True)
    if isinstance(stored, Exception):
        raise stored
    return stored
