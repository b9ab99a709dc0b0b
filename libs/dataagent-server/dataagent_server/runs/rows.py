"""Runs in the database: one statement, or a few, for each thing that can happen to them."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select, update

from dataagent_core.errors import NotFoundError, SessionBusyError
from dataagent_core.ids import new_id
from dataagent_server.db.clock import database_now
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.errors import RateLimitedError
from dataagent_server.ids import TenantId
from dataagent_server.runs.limits import HISTORY_PAGE_RUNS
from dataagent_server.runs.model import ACTIVE, OPEN, NewRun, RunRow, run_of


@dataclass(frozen=True, slots=True)
class RunLimits:
    """How much may be under way at once; how much of it one person's is the tenant's to say."""

    per_tenant: int
    queued_per_session: int


def insert_run(
    connection: Connection, tenant_id: TenantId, new: NewRun, limits: RunLimits
) -> RunRow:
    """Put a run at the end of its session's queue, if there is room."""
    per_user = _lock_tenant(connection, tenant_id)
    _check_room(connection, tenant_id, new, limits, per_user)
    now = database_now(connection)
    run_id = new_id()
    last = connection.execute(
        select(func.max(runs.c.position)).where(
            runs.c.tenant_id == tenant_id, runs.c.session_id == new.session_id
        )
    ).scalar_one()
    row = {
        "tenant_id": tenant_id,
        "run_id": run_id,
        "session_id": new.session_id,
        "user_id": new.user_id,
        "project_id": new.project_id,
        "assistant_id": new.assistant_id,
        "agent_type": "assistant",
        "message_id": f"{run_id}:m0",
        "input": new.text,
        "options": new.context,
        "status": "queued",
        "position": (last or 0) + 1,
        "fence": 0,
        "attempt": 0,
        "created_at": now,
        "updated_at": now,
    }
    connection.execute(runs.insert(), row)
    return _known(connection, tenant_id, run_id)


def find_run(
    connection: Connection, tenant_id: TenantId, run_id: str, *, locked: bool = False
) -> RunRow | None:
    """Return a run; `locked` keeps others from changing it until the transaction ends."""
    query = select(runs).where(runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
    row = connection.execute(query.with_for_update() if locked else query).mappings().first()
    return run_of(row) if row is not None else None


def runs_of_session(
    connection: Connection, tenant_id: TenantId, session_id: str, *, only_open: bool
) -> list[RunRow]:
    """List a session's runs, oldest first."""
    query = select(runs).where(runs.c.tenant_id == tenant_id, runs.c.session_id == session_id)
    if only_open:
        query = query.where(runs.c.status.in_(OPEN))
    return [run_of(row) for row in connection.execute(query.order_by(runs.c.position)).mappings()]


def history_of_user(
    connection: Connection,
    tenant_id: TenantId,
    user_id: str,
    *,
    before: str | None = None,
    limit: int = HISTORY_PAGE_RUNS,
) -> list[RunRow]:
    """List a person's runs, newest first; `before` is the last run of the page before."""
    query = select(runs).where(runs.c.tenant_id == tenant_id, runs.c.user_id == user_id)
    last = None if before is None else find_run(connection, tenant_id, before)
    # Somebody else's run is no place in this list: it would tell when that run began.
    if last is not None and last.user_id == user_id:
        query = query.where(
            (runs.c.created_at < last.created_at)
            | ((runs.c.created_at == last.created_at) & (runs.c.run_id < last.run_id))
        )
    ordered = query.order_by(runs.c.created_at.desc(), runs.c.run_id.desc()).limit(limit)
    return [run_of(row) for row in connection.execute(ordered).mappings()]


def requeue(connection: Connection, run: RunRow) -> None:
    """Let somebody take the run up; whoever had it may write no more."""
    connection.execute(
        update(runs)
        .where(runs.c.tenant_id == run.tenant_id, runs.c.run_id == run.run_id)
        .values(
            status="queued",
            owner=None,
            fence=runs.c.fence + 1,
            updated_at=database_now(connection),
        )
    )


def wait(connection: Connection, run: RunRow) -> None:
    """Leave the run to a person: nobody works on it and it costs nothing."""
    connection.execute(
        update(runs)
        .where(runs.c.tenant_id == run.tenant_id, runs.c.run_id == run.run_id)
        .values(
            status="waiting_approval",
            owner=None,
            fence=runs.c.fence + 1,
            updated_at=database_now(connection),
        )
    )


def ask_to_cancel(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    """Note that somebody wants the run to stop."""
    now = database_now(connection)
    connection.execute(
        update(runs)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
        .values(cancel_requested_at=now, updated_at=now)
    )


def _known(connection: Connection, tenant_id: TenantId, run_id: str) -> RunRow:
    found = find_run(connection, tenant_id, run_id)
    assert found is not None, run_id
    return found


def _lock_tenant(connection: Connection, tenant_id: TenantId) -> int:
    # Two runs that begin at once must both be counted: one at a time per tenant.
    allowed = connection.execute(
        select(tenants.c.max_sessions_per_user)
        .where(tenants.c.tenant_id == tenant_id)
        .with_for_update()
    ).scalar_one_or_none()
    if allowed is None:
        raise NotFoundError(f"there is no tenant {tenant_id!r}.")
    return allowed


def _check_room(
    connection: Connection, tenant_id: TenantId, new: NewRun, limits: RunLimits, per_user: int
) -> None:
    mine = runs.c.tenant_id == tenant_id
    active = runs.c.status.in_(ACTIVE)

    def counted(*conditions: object) -> int:
        query = select(func.count()).select_from(runs).where(mine, *conditions)  # pyright: ignore[reportArgumentType]
        return connection.execute(query).scalar_one()

    waiting = counted(runs.c.session_id == new.session_id, runs.c.status.in_(OPEN))
    if waiting > limits.queued_per_session:
        raise SessionBusyError(
            f"session {new.session_id!r} has {waiting} messages under way, and "
            f"{limits.queued_per_session} may wait. Let it finish, or cancel it."
        )
    if counted(runs.c.user_id == new.user_id, active) >= per_user:
        raise RateLimitedError(
            f"you have {per_user} runs under way, which is the most. Wait for one to "
            "finish, or cancel it.",
            {"max_sessions_per_user": per_user},
        )
    if counted(active) >= limits.per_tenant:
        raise RateLimitedError(
            f"your organisation has {limits.per_tenant} runs under way, which is the most. Try "
            "again in a moment.",
            {"max_runs_per_tenant": limits.per_tenant},
        )


def end_cancelled(connection: Connection, run: RunRow) -> None:
    """Close a run that never began."""
    now = database_now(connection)
    connection.execute(
        update(runs)
        .where(runs.c.tenant_id == run.tenant_id, runs.c.run_id == run.run_id)
        .values(status="cancelled", fence=runs.c.fence + 1, completed_at=now, updated_at=now)
    )
