"""Events and journal records of one or several appends, in one transaction of the caller's.

The caller gives the numbers, which it has locked: on SQLite the writer lock is enough, because the
newest event says the number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from dataagent_core.events import Event
from dataagent_core.ids import new_id
from dataagent_core.session.log import JournalRecord
from dataagent_core.session.stores.encoding import event_line
from dataagent_core.session.stores.sql.connection import SqlConnection, insert_rows
from dataagent_core.session.stores.sql.dialect import index_key, insert, placeholders
from dataagent_core.session.stores.sql.journal_records import insert_records

SessionKey = tuple[str, str]
"""A tenant and one of its sessions."""
_INSERT: Final = insert(
    "agent_execution_events",
    ("tenant_id", "session_id", "seq", "run_id", "event_id", "event_type", "event_data"),
)


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """An event that is known to be storable; its line lacks only the number at its end."""

    event: Event
    line: str
    chosen: bool
    """Whether the producer named it, so that the log may have it already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """The events and records of one caller, written all or none."""

    tenant_id: str
    session_id: str
    run_id: str
    events: Sequence[PreparedEvent]
    journal: Sequence[JournalRecord] = ()
    # The number of the run that the writer believes in (the server's `stores/fences.py`).
    fence: int | None = None

    @property
    def session(self) -> SessionKey:
        """The tenant and the session."""
        return self.tenant_id, self.session_id


def prepare_event(event: Event, session_id: str, run_id: str) -> PreparedEvent:
    """Encode an event before any lock is held; one that JSON cannot hold is refused here."""
    named = replace(
        event,
        event_id=event.event_id or new_id(),
        session_id=session_id,
        run_id=run_id,
        seq=0,
    )
    line, copy = event_line(named)
    return PreparedEvent(copy, line.removesuffix("0}"), chosen=bool(event.event_id))


def last_seq(connection: SqlConnection, session: SessionKey) -> int:
    """Return a session's newest number, 0 for one without events."""
    found = connection.execute(
        "SELECT MAX(seq) FROM agent_execution_events WHERE tenant_id = ? AND session_id = ?",
        session,
    ).fetchone()
    return found[0] or 0


def write_appends(
    connection: SqlConnection,
    appends: Sequence[Append],
    numbers: dict[SessionKey, int],
    *,
    check_known: bool,
    with_times: bool = False,
) -> list[list[Event]]:
    """Write appends and return, for each, its events with their numbers; `numbers` goes on.

    `check_known` leaves out events the log has; without it such an event breaks the unique key
    and with it the transaction, which the caller then repeats with the check. That is rare, and
    saves every other append a question to the database.
    """
    results: list[list[Event]] = []
    rows: list[tuple[object, ...]] = []
    dialect = connection.dialect.name
    for item in appends:
        ids = [index_key(one.event.event_id or "", dialect) for one in item.events]
        chosen = [event_id for event_id, one in zip(ids, item.events, strict=True) if one.chosen]
        known = _known_ids(connection, item.session, chosen) if check_known else set[str]()
        stored: list[Event] = []
        for event_id, one in zip(ids, item.events, strict=True):
            if event_id in known:
                continue
            known.add(event_id)
            seq = numbers[item.session] = numbers[item.session] + 1
            owner = (item.tenant_id, item.session_id, seq, item.run_id)
            rows.append((*owner, event_id, one.event.event_type, f"{one.line}{seq}}}"))
            stored.append(replace(one.event, seq=seq))
        results.append(stored)
    insert_rows(connection, _INSERT, rows)
    records = [(*item.session, item.run_id, one) for item in appends for one in item.journal]
    insert_records(connection, records, with_times=with_times)
    return results


def _known_ids(connection: SqlConnection, session: SessionKey, wanted: Sequence[str]) -> set[str]:
    if not wanted:
        return set()
    found = connection.execute(
        "SELECT event_id FROM agent_execution_events WHERE tenant_id = ? AND session_id = ? "
        f"AND event_id IN ({placeholders(len(wanted))})",
        (*session, *wanted),
    )
    return {row[0] for row in found}
