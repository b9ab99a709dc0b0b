"""Whether there is capacity for one more run: in its session, for its user, in its tenant."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, select

from dataagent_core.errors import NotFoundError, SessionBusyError
from dataagent_server.common.errors import RateLimitedError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.runs import ACTIVE, OPEN
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.run_row import NewRun


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of active runs; the tenant sets the limit per user."""

    per_tenant: int
    queued_per_session: int


def check_capacity(
    connection: Connection, tenant_id: TenantId, new: NewRun, limits: RunLimits
) -> None:
    """Raise if a limit is reached; no other run can begin until the transaction ends."""
    # One transaction at a time per tenant, so that two runs at once are both counted.
    per_user = connection.execute(
        select(tenants.c.max_sessions_per_user)
        .where(tenants.c.tenant_id == tenant_id)
        .with_for_update()
    ).scalar_one_or_none()
    if per_user is None:
        raise NotFoundError(f"there is no tenant {tenant_id!r}.")
    mine = runs.c.tenant_id == tenant_id
    active = runs.c.status.in_(ACTIVE)

    def counted(*conditions: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(runs).where(mine, *conditions)
        return connection.execute(query).scalar_one()

    waiting = counted(runs.c.session_id == new.session_id, runs.c.status.in_(OPEN))
    if new.kind == "compaction" and waiting:
        raise SessionBusyError(
            f"session {new.session_id!r} has a run under way. Its history can be made shorter when "
            "it is over; let it finish, or cancel it."
        )
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
