"""Human requests as rows: asked in a run's log, answered once, by any client with the right.

The log is authoritative (`hitl_request`, `hitl_answer`); the rows say which requests are open,
until when, and make sure that only the first answer counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, cast

from sqlalchemy import Connection, RowMapping, select, update

from dataagent_core.errors import ConflictError
from dataagent_core.events import HITLRequestEvent, from_dict
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl import (
    ActionRequest,
    bound,
    check_decision,
    default_answer,
    plain,
)
from dataagent_core.mcp.programs import START_PROGRAM
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.conversations import session_shares
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.runs import human_requests as requests
from dataagent_server.db.upsert import insert_ignore

REQUESTS_EXPIRED_AT_ONCE_MAX: Final = 100
# How many runs that wait for a budget are read at once.
BUDGET_WAITS_LOOKED_AT_MAX: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTimeouts:
    """How long a request waits, if it does not say so itself."""

    approval_s: float
    clarification_s: float
    decision_s: float

    def of(self, event: HITLRequestEvent) -> float | None:
        """Return the seconds until a request times out; None is never."""
        match event.kind:
            case "clarification" | "decision" if default_answer(event) is None:
                return None
            case "clarification":
                return event.timeout_s or self.clarification_s
            case "decision":
                return event.timeout_s or self.decision_s
            case _:
                return event.timeout_s or self.approval_s


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanRequest:
    """One request to a person, and its answer if there is one."""

    tenant_id: TenantId
    interrupt_id: str
    run_id: str
    session_id: str
    kind: HumanRequestKind
    request: dict[str, Any]
    status: str
    decision: dict[str, Any] | None
    answered_by: str | None
    deadline_at: datetime | None
    created_at: datetime
    answered_at: datetime | None

    @property
    def event(self) -> HITLRequestEvent:
        """The request as the log has it."""
        return cast("HITLRequestEvent", from_dict(self.request))


def open_request(
    connection: Connection,
    tenant_id: TenantId,
    event: HITLRequestEvent,
    timeouts: RequestTimeouts,
) -> None:
    """Insert a request that the log has just taken."""
    now = database_now(connection)
    timeout_s = timeouts.of(event)
    insert_ignore(
        connection,
        requests,
        {
            "tenant_id": tenant_id,
            "interrupt_id": event.interrupt_id,
            "run_id": event.run_id,
            "session_id": event.session_id,
            "kind": event.kind,
            "request": event.to_dict(),
            "status": "open",
            "deadline_at": now + timedelta(seconds=timeout_s) if timeout_s is not None else None,
            "created_at": now,
        },
    )


def close_request(
    connection: Connection,
    tenant_id: TenantId,
    interrupt_id: str,
    *,
    status: str,
    decision: Mapping[str, Any] | None = None,
    by: str | None = None,
) -> bool:
    """Answer or withdraw a request; `False` when another answer came first."""
    changed = connection.execute(
        update(requests)
        .where(
            requests.c.tenant_id == tenant_id,
            requests.c.interrupt_id == interrupt_id,
            requests.c.status == "open",
        )
        .values(
            status=status,
            decision=dict(decision) if decision is not None else None,
            answered_by=by,
            answered_at=database_now(connection),
        )
    )
    return changed.rowcount == 1


def withdraw_requests(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    """Withdraw the open requests of a run that is over."""
    connection.execute(
        update(requests)
        .where(
            requests.c.tenant_id == tenant_id,
            requests.c.run_id == run_id,
            requests.c.status == "open",
        )
        .values(status="superseded", answered_at=database_now(connection))
    )


def find_request(
    connection: Connection, tenant_id: TenantId, interrupt_id: str
) -> HumanRequest | None:
    """Find a request."""
    row = connection.execute(
        select(requests).where(
            requests.c.tenant_id == tenant_id, requests.c.interrupt_id == interrupt_id
        )
    )
    found = row.mappings().first()
    return _make_request(found) if found is not None else None


def list_requests(
    connection: Connection,
    tenant_id: TenantId,
    *,
    session_id: str | None = None,
    run_id: str | None = None,
    only_open: bool = True,
) -> list[HumanRequest]:
    """List the requests of a session or a run, oldest first."""
    query = select(requests).where(requests.c.tenant_id == tenant_id)
    if session_id is not None:
        query = query.where(requests.c.session_id == session_id)
    if run_id is not None:
        query = query.where(requests.c.run_id == run_id)
    if only_open:
        query = query.where(requests.c.status == "open")
    ordered = query.order_by(requests.c.created_at, requests.c.interrupt_id)
    return [_make_request(row) for row in connection.execute(ordered).mappings()]


def list_sign_in_requests(
    connection: Connection, tenant_id: TenantId, user_id: str, server: str
) -> list[HumanRequest]:
    """List the requests of a user's runs that wait for a sign-in at a server."""
    theirs = (runs.c.tenant_id == tenant_id) & (runs.c.user_id == user_id)
    query = select(requests).where(
        requests.c.tenant_id == tenant_id,
        requests.c.kind == "oauth",
        requests.c.status == "open",
        requests.c.run_id.in_(select(runs.c.run_id).where(theirs)),
    )
    found = [_make_request(row) for row in connection.execute(query).mappings()]
    return [one for one in found if call_of(one)["args"].get("server") == server]


def list_budget_requests(connection: Connection, tenant_id: TenantId | None) -> list[HumanRequest]:
    """List the open requests about budgets, oldest first, of one tenant or of all."""
    query = select(requests).where(requests.c.kind == "budget", requests.c.status == "open")
    if tenant_id is not None:
        query = query.where(requests.c.tenant_id == tenant_id)
    ordered = query.order_by(requests.c.created_at).limit(BUDGET_WAITS_LOOKED_AT_MAX)
    return [_make_request(row) for row in connection.execute(ordered).mappings()]


def list_answerable(
    connection: Connection, tenant_id: TenantId, user_id: str | None, limit: int
) -> list[HumanRequest]:
    """List the open requests one user may answer, or all of them, oldest first."""
    query = select(requests).where(requests.c.tenant_id == tenant_id, requests.c.status == "open")
    if user_id is not None:
        theirs = (runs.c.tenant_id == tenant_id) & (runs.c.user_id == user_id)
        shared = select(session_shares.c.session_id).where(
            session_shares.c.tenant_id == tenant_id,
            session_shares.c.user_id == user_id,
            session_shares.c.permission == "answer",
        )
        query = query.where(
            requests.c.run_id.in_(select(runs.c.run_id).where(theirs))
            | requests.c.session_id.in_(shared)
        )
    ordered = query.order_by(requests.c.created_at, requests.c.interrupt_id).limit(limit)
    return [_make_request(row) for row in connection.execute(ordered).mappings()]


def list_overdue(connection: Connection) -> list[HumanRequest]:
    """List overdue requests of all tenants."""
    query = (
        select(requests)
        .where(requests.c.status == "open", requests.c.deadline_at < database_now(connection))
        .order_by(requests.c.deadline_at)
        .limit(REQUESTS_EXPIRED_AT_ONCE_MAX)
    )
    return [_make_request(row) for row in connection.execute(query).mappings()]


def check_given_decision(request: HumanRequest, decision: object) -> dict[str, Any]:
    """Check a person's decision; one about a call counts only for that call."""
    checked = check_decision(request.kind, decision)
    if request.kind in {"approval", "elicitation", "oauth"}:
        checked = bound(checked, call_of(request))
    return plain(checked)


def already_answered(interrupt_id: str) -> ConflictError:
    """Return the error for an answered request."""
    return ConflictError(f"the request {interrupt_id!r} has been answered already.")


def call_of(request: HumanRequest) -> ActionRequest:
    """Return the call that a request is about."""
    return cast("ActionRequest", request.event.action_requests[0])


def starts_program(request: HumanRequest) -> bool:
    """Return whether an approval lets the program of an MCP server start from now on."""
    return request.kind == "approval" and call_of(request)["name"] == START_PROGRAM


def _make_request(row: RowMapping) -> HumanRequest:
    return HumanRequest(
        tenant_id=TenantId(row["tenant_id"]),
        interrupt_id=row["interrupt_id"],
        run_id=row["run_id"],
        session_id=row["session_id"],
        kind=row["kind"],
        request=row["request"],
        status=row["status"],
        decision=row["decision"],
        answered_by=row["answered_by"],
        deadline_at=row["deadline_at"],
        created_at=row["created_at"],
        answered_at=row["answered_at"],
    )
