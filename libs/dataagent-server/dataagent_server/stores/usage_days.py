"""Rolling up the use of days long past and of deleted sessions.

What stays is a row per day, person, project and model.

A piece at a time, in small transactions. The rows of a piece are locked while they are added up, so
two servers that do it at once never count one twice.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, and_, delete, or_, select, tuple_, update

from dataagent_server.db.database import Database
from dataagent_server.db.tables.usage import budget_counters, usage, usage_days
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.stores.limits import ROLLED_UP_AT_ONCE_MAX
from dataagent_server.stores.usage_rows import OWNER, SUMS

_MONTH_CHARS = len("2026-11")
_counter = budget_counters.c
_COUNTER_KEY = (_counter.scope, _counter.scope_id, _counter.period, _counter.period_start)


async def tenants_with_use(database: Database, before: str) -> list[str]:
    """List the tenants that have something to be rolled up."""
    query = select(usage.c.tenant_id).where(usage.c.day < before).distinct()
    return await database.read(lambda c: list(c.execute(query).scalars()))


async def roll_up(database: Database, tenant_id: str, before: str) -> int:
    """Join rows of days before one, and drop counters of periods that are over."""
    joined = 0
    while found := await database.write(lambda c: _join_some(c, tenant_id, before)):
        joined += found
    while await database.write(lambda c: _drop_counters(c, tenant_id, before)):
        pass
    return joined


def join_session(connection: Connection, tenant_id: str, session_id: str) -> None:
    """Keep what a session used, and no longer whose session it was: it is being deleted."""
    _join(connection, tenant_id, select(usage).where(usage.c.session_id == session_id))


def _join_some(connection: Connection, tenant_id: str, before: str) -> int:
    old = (
        select(usage)
        .where(usage.c.day < before)
        .order_by(usage.c.day, usage.c.run_id, usage.c.model)
    )
    return _join(connection, tenant_id, old.limit(ROLLED_UP_AT_ONCE_MAX))


def _join(connection: Connection, tenant_id: str, which: Select[Any]) -> int:
    mine_only = which.where(usage.c.tenant_id == tenant_id).with_for_update()
    rows = connection.execute(mine_only).mappings().all()
    sums: dict[tuple[str, ...], list[RowMapping]] = {}
    for row in rows:
        sums.setdefault(tuple(row[name] for name in OWNER), []).append(row)
    for owner, mine in sums.items():
        key = dict(zip(OWNER, owner, strict=True))
        insert_ignore(connection, usage_days, {**key, **dict.fromkeys(SUMS, 0)})
        more = {name: usage_days.c[name] + sum(row[name] for row in mine) for name in SUMS}
        there = (usage_days.c[name] == value for name, value in key.items())
        connection.execute(update(usage_days).where(*there).values(more))
    _forget(connection, tenant_id, rows)
    return len(rows)


def _forget(connection: Connection, tenant_id: str, rows: Sequence[RowMapping]) -> None:
    if not rows:
        return
    keys = [(row["run_id"], row["day"], row["model"]) for row in rows]
    mine = tuple_(usage.c.run_id, usage.c.day, usage.c.model).in_(keys)
    connection.execute(delete(usage).where(usage.c.tenant_id == tenant_id, mine))
    runs = [("run", row["run_id"], "run", "") for row in rows]
    _drop(connection, tenant_id, runs)


def _drop_counters(connection: Connection, tenant_id: str, before: str) -> int:
    over = or_(
        and_(_counter.period == "day", _counter.period_start < before),
        and_(_counter.period == "month", _counter.period_start < before[:_MONTH_CHARS]),
    )
    old = select(*_COUNTER_KEY).where(_counter.tenant_id == tenant_id, over)
    keys = [tuple(row) for row in connection.execute(old.limit(ROLLED_UP_AT_ONCE_MAX))]
    # By their keys: a search for them would lock what runs are counting in.
    return _drop(connection, tenant_id, keys)


def _drop(connection: Connection, tenant_id: str, keys: Sequence[tuple[str, ...]]) -> int:
    if not keys:
        return 0
    mine = (_counter.tenant_id == tenant_id, tuple_(*_COUNTER_KEY).in_(keys))
    return connection.execute(delete(budget_counters).where(*mine)).rowcount
