"""Numbers, events and journal rows of several appends in one transaction.

The numbers of a session are given under a lock: the row of `session_counters`, or on SQLite the
writer lock itself, where the command line writes too and keeps no counters. Locks are taken in one
order, tenants, then runs, then sessions, so that two processes never wait for each other.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, select

from dataagent_core.events import Event
from dataagent_core.ids import new_id
from dataagent_core.session.log import JournalRecord
from dataagent_core.session.stores.encoding import event_line
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.database import Dialect
from dataagent_server.db.tables.conversations import agent_execution_events as events
from dataagent_server.db.tables.conversations import session_counters as counters
from dataagent_server.db.upsert import insert_ignore, upsert
from dataagent_server.stores.fences import lease_lost, locked_fences
from dataagent_server.stores.journal import insert_records
from dataagent_server.stores.keys import indexed

SessionKey = tuple[str, str]
"""A tenant and one of its sessions."""


Fenced = tuple[str, str, int | None]
"""A tenant, a run of it, and the number a writer believes in."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event that is known to be storable; its line lacks only the number at its end."""

    event: Event
    line: str
    chosen: bool
    """Whether the producer named it, so that the log may have it already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """What one caller wants to have written, all or nothing."""

    tenant_id: str
    session_id: str
    run_id: str
    fence: int | None
    events: Sequence[Prepared]
    journal: Sequence[JournalRecord]

    @property
    def session(self) -> SessionKey:
        """Name the session it goes to."""
        return self.tenant_id, self.session_id


def prepared(event: Event, session_id: str, run_id: str) -> Prepared:
    """Encode an event before any lock is held; one that JSON cannot hold is refused here."""
    named = replace(
        event,
        event_id=event.event_id or new_id(),
        session_id=session_id,
        run_id=run_id,
        seq=0,
    )
    line, copy = event_line(named)
    return Prepared(copy, line.removesuffix("0}"), chosen=bool(event.event_id))


def commit_appends(
    connection: Connection, appends: Sequence[Append], *, check_known: bool
) -> list[list[Event] | LeaseLostError]:
    """Write what may be written and return, per append, its events with their numbers.

    `check_known` leaves out events the log has; without it such an event breaks the unique key
    and with it the transaction, which the caller then repeats with the check. That is rare, and
    saves every other append a question to the database.
    """
    dialect: Dialect = connection.dialect.name  # pyright: ignore[reportAssignmentType]
    lost = _lost(connection, appends)
    alive = [item for item in appends if _fenced(item) not in lost]
    numbers = _lock_numbers(connection, sorted({item.session for item in alive if item.events}))
    results: list[list[Event] | LeaseLostError] = []
    rows: list[dict[str, Any]] = []
    for item in appends:
        if _fenced(item) in lost:
            results.append(lease_lost(item.run_id))
            continue
        known = _known(connection, item, dialect) if check_known else set[str]()
        stored: list[Event] = []
        for one in item.events:
            event_id = indexed(one.event.event_id or "", dialect)
            if event_id in known:
                continue
            known.add(event_id)
            seq = numbers[item.session] = numbers[item.session] + 1
            rows.append(_row(item, one, event_id, seq))
            stored.append(replace(one.event, seq=seq))
        results.append(stored)
    if rows:
        connection.execute(insert(events), rows)
        _keep_numbers(connection, numbers)
    insert_records(connection, alive, dialect)
    return results


def _row(item: Append, one: Prepared, event_id: str, seq: int) -> dict[str, Any]:
    return {
        "tenant_id": item.tenant_id,
        "session_id": item.session_id,
        "seq": seq,
        "run_id": item.run_id,
        "event_id": event_id,
        "event_type": one.event.event_type,
        "event_data": f"{one.line}{seq}}}",
    }


def _lost(connection: Connection, appends: Sequence[Append]) -> set[Fenced]:
    fenced = {_fenced(item) for item in appends if item.fence is not None}
    held: dict[str, set[str]] = defaultdict(set)
    for tenant_id, run_id, _ in fenced:
        held[tenant_id].add(run_id)
    known = {
        (tenant_id, run_id, fence)
        for tenant_id in sorted(held)
        for run_id, fence in locked_fences(connection, tenant_id, held[tenant_id]).items()
    }
    return fenced - known


def _fenced(item: Append) -> Fenced:
    return item.tenant_id, item.run_id, item.fence


def _known(connection: Connection, item: Append, dialect: Dialect) -> set[str]:
    wanted = [indexed(one.event.event_id or "", dialect) for one in item.events if one.chosen]
    if not wanted:
        return set()
    found = select(events.c.event_id).where(
        events.c.tenant_id == item.tenant_id,
        events.c.session_id == item.session_id,
        events.c.event_id.in_(wanted),
    )
    return set(connection.execute(found).scalars())


def _lock_numbers(connection: Connection, sessions: Sequence[SessionKey]) -> dict[SessionKey, int]:
    if connection.dialect.name == "sqlite":
        return {session: _last_seq(connection, session) for session in sessions}
    numbers = _locked(connection, sessions)
    if missing := [session for session in sessions if session not in numbers]:
        insert_ignore(
            connection,
            counters,
            [{"tenant_id": t, "session_id": s, "last_seq": 0} for t, s in missing],
        )
        numbers |= _locked(connection, missing)
    return numbers


def _locked(connection: Connection, sessions: Iterable[SessionKey]) -> dict[SessionKey, int]:
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


# As text: asked for every session of every batch, building it anew cost more than its answer.
_NEWEST = "SELECT MAX(seq) FROM agent_execution_events WHERE tenant_id = ? AND session_id = ?"


def _last_seq(connection: Connection, session: SessionKey) -> int:
    return connection.exec_driver_sql(_NEWEST, session).scalar() or 0


def _keep_numbers(connection: Connection, numbers: dict[SessionKey, int]) -> None:
    if connection.dialect.name != "sqlite":
        rows = [
            {"tenant_id": tenant_id, "session_id": session_id, "last_seq": last}
            for (tenant_id, session_id), last in numbers.items()
        ]
        upsert(connection, counters, rows)
