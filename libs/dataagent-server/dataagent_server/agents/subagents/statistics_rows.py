"""The SQL of the statistics: counted with the log, once for each invocation of a sub-agent."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from dataagent_server.agents.subagents.stored_subagent import SubAgentStatistics
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.subagents import subagent_days as days
from dataagent_server.db.tables.subagents import subagents as table
from dataagent_server.db.upsert import insert_ignore


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One finished task of a sub-agent; the day it ended is `YYYY-MM-DD` in UTC."""

    day: str
    succeeded: bool
    duration_ms: int
    tokens: int
    # Without what has no known price.
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentDay:
    """What a sub-agent did on one day."""

    day: str
    invocations: int
    successes: int
    duration_ms: int
    tokens: int
    cost: float


def add_invocation(
    connection: Connection, tenant_id: TenantId, agent_id: str, one: Invocation
) -> None:
    """Count an invocation, for its day and in the row of the sub-agent, if it has one."""
    day = SubAgentDay(
        day=one.day,
        invocations=1,
        successes=int(one.succeeded),
        duration_ms=one.duration_ms,
        tokens=one.tokens,
        cost=one.cost,
    )
    _add_day(connection, tenant_id, agent_id, day)
    _update_means(connection, tenant_id, agent_id, one)


def _add_day(connection: Connection, tenant_id: TenantId, agent_id: str, one: SubAgentDay) -> None:
    key = {"tenant_id": tenant_id, "agent_id": agent_id}
    added = {name: days.c[name] + count for name, count in asdict(one).items() if name != "day"}
    nothing = dict.fromkeys(added, 0)
    insert_ignore(connection, days, {**key, "day": one.day, **nothing})
    connection.execute(
        update(days)
        .where(days.c.tenant_id == tenant_id, days.c.agent_id == agent_id, days.c.day == one.day)
        .values(added)
    )


def move_days(connection: Connection, tenant_id: TenantId, from_id: str, to_id: str) -> None:
    """Add the days of one sub-agent to those of another, and forget them for the first."""
    mine = (days.c.tenant_id == tenant_id, days.c.agent_id == from_id)
    columns = [days.c[name] for name in SubAgentDay.__slots__]
    moved = [
        SubAgentDay(**row) for row in connection.execute(select(*columns).where(*mine)).mappings()
    ]
    connection.execute(delete(days).where(*mine))
    for one in moved:
        _add_day(connection, tenant_id, to_id, one)


def sum_statistics(
    connection: Connection, tenant_id: TenantId, agent_ids: Sequence[str]
) -> dict[str, SubAgentStatistics]:
    """Sum the days of sub-agents; one that has done nothing is left out."""
    query = (
        select(
            days.c.agent_id,
            func.sum(days.c.invocations).label("invocations"),
            func.sum(days.c.successes).label("successes"),
            func.sum(days.c.duration_ms).label("duration_ms"),
        )
        .where(days.c.tenant_id == tenant_id, days.c.agent_id.in_(agent_ids))
        .group_by(days.c.agent_id)
    )
    return {
        row.agent_id: SubAgentStatistics(
            total_invocations=int(row.invocations),
            avg_execution_time_ms=float(row.duration_ms) / int(row.invocations),
            success_rate=float(row.successes) / int(row.invocations),
        )
        for row in connection.execute(query)
    }


def sum_use(connection: Connection, tenant_id: TenantId, agent_id: str) -> tuple[int, float]:
    """Sum the tokens and the cost of all days."""
    query = select(func.sum(days.c.tokens), func.sum(days.c.cost)).where(
        days.c.tenant_id == tenant_id, days.c.agent_id == agent_id
    )
    tokens, cost = connection.execute(query).one()
    return int(tokens or 0), float(cost or 0.0)


def list_days(
    connection: Connection, tenant_id: TenantId, agent_id: str, limit: int
) -> list[SubAgentDay]:
    """List the newest days on which a sub-agent did something, the oldest of them first."""
    columns = [days.c[name] for name in SubAgentDay.__slots__]
    query = select(*columns).where(days.c.tenant_id == tenant_id, days.c.agent_id == agent_id)
    newest = connection.execute(query.order_by(days.c.day.desc()).limit(limit)).mappings()
    return [SubAgentDay(**row) for row in reversed(newest.all())]


def _update_means(
    connection: Connection, tenant_id: TenantId, agent_id: str, one: Invocation
) -> None:
    count = table.c.total_invocations

    def mean(column: Any, value: float) -> Any:
        return (column * count + value) / (count + 1)

    # In this order: MySQL uses the new count in whatever is set after it.
    connection.execute(
        update(table)
        .where(table.c.tenant_id == tenant_id, table.c.id == agent_id)
        .ordered_values(
            (
                table.c.avg_execution_time_ms,
                mean(table.c.avg_execution_time_ms, float(one.duration_ms)),
            ),
            (table.c.success_rate, mean(table.c.success_rate, float(one.succeeded))),
            (count, count + 1),
        )
    )
