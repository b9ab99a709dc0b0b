"""Writes appends of many runs in one transaction: fences and numbers; core writes the rows.

The numbers of a session are assigned under a lock: the row of `session_counters`, or on SQLite the
writer lock itself, because the terminal writes there too and keeps no counters. Locks are taken in
one order, tenants, then runs, then sessions, so that two processes never deadlock.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from dataagent_core.events import Event
from dataagent_core.session.stores.sql.event_appends import (
    Append,
    SessionKey,
    last_seq,
    write_appends,
)
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.store_connection import sql_connection
from dataagent_server.db.tables.conversations import session_counters as counters
from dataagent_server.db.upsert import insert_ignore, upsert
from dataagent_server.stores.fences import lease_lost, locked_fences

Fenced = tuple[str, str, int | None]
"""A tenant, a run of it, and the number a writer believes in."""


def commit_appends(
    connection: Connection, appends: Sequence[Append], *, check_known: bool
) -> list[list[Event] | LeaseLostError]:
    """Write the allowed appends and return, per append, its events with their numbers.

    Core defines `check_known` (`write_appends`).
    """
    lost = _find_lost(connection, appends)
    alive = [item for item in appends if _fence_key(item) not in lost]
    numbers = _lock_numbers(connection, sorted({item.session for item in alive if item.events}))
    before = dict(numbers)
    written = iter(
        write_appends(
            sql_connection(connection), alive, numbers, check_known=check_known, with_times=True
        )
    )
    if numbers != before:
        _keep_numbers(connection, numbers)
    return [
        lease_lost(item.run_id) if _fence_key(item) in lost else next(written) for item in appends
    ]


def _find_lost(connection: Connection, appends: Sequence[Append]) -> set[Fenced]:
    fenced = {_fence_key(item) for item in appends if item.fence is not None}
    held: dict[str, set[str]] = defaultdict(set)
    for tenant_id, run_id, _ in fenced:
        held[tenant_id].add(run_id)
    known = {
        (tenant_id, run_id, fence)
        for tenant_id in sorted(held)
        for run_id, fence in locked_fences(connection, tenant_id, held[tenant_id]).items()
    }
    return fenced - known


def _fence_key(item: Append) -> Fenced:
    return item.tenant_id, item.run_id, item.fence


def _lock_numbers(connection: Connection, sessions: Sequence[SessionKey]) -> dict[SessionKey, int]:
    if connection.dialect.name == "sqlite":
        return {session: last_seq(sql_connection(connection), session) for session in sessions}
    numbers = _read_locked(connection, sessions)
    if missing := [session for session in sessions if session not in numbers]:
        insert_ignore(
            connection,
            counters,
            [{"tenant_id": t, "session_id": s, "last_seq": 0} for t, s in missing],
        )
        numbers |= _read_locked(connection, missing)
    return numbers


def _read_locked(connection: Connection, sessions: Iterable[SessionKey]) -> dict[SessionKey, int]:
    by_tenant: dict[str, list[str]] = defaultdict(list)
    for tenant_id, session_id in sessions:
        by_tenant[tenant_id].append(session_id)
    numbers: dict[SessionKey, int] = {}
    for tenant_id, names in by_tenant.items():
        statement = (
            select(counters.c.session_id, counters.c.last_seq)
            .where(counters.c.tenant_id == tenant_id, counters.c.session_id.in_(names))
            .order_by(counters.c.session_id)
            .with_for_update()
        )
        found = connection.execute(statement)
        numbers |= {(tenant_id, session_id): last for session_id, last in found}
    return numbers


def _keep_numbers(connection: Connection, numbers: dict[SessionKey, int]) -> None:
    if connection.dialect.name != "sqlite":
        rows = [
            {"tenant_id": tenant_id, "session_id": session_id, "last_seq": last}
            for (tenant_id, session_id), last in numbers.items()
        ]
        upsert(connection, counters, rows)
