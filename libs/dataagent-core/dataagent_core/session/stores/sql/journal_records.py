"""The rows of the tool-call journal: the first intent stays, and so does the first outcome."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from dataagent_core.session.log import Intent, JournalEntry, JournalRecord, Outcome
from dataagent_core.session.state import now
from dataagent_core.session.stores.sql.connection import SqlConnection, insert_rows
from dataagent_core.session.stores.sql.dialect import (
    decode_text,
    encode_text,
    index_key,
    insert_ignore,
    insert_or_set,
    read_note,
)

_TABLE: Final = "tool_execution_records"
_KEY: Final = ("tenant_id", "run_id", "call_key")
RunRecord = tuple[str, str, str, JournalRecord]
"""A tenant, a session, a run, and a record of one of its calls."""


def insert_records(
    connection: SqlConnection, records: Iterable[RunRecord], *, with_times: bool
) -> None:
    """Write journal records, each kind in as few statements as may be.

    When a call ran, and in which turn, are columns that only the server's schema has.
    """
    for kind, group in groupby(records, key=lambda record: type(record[3])):
        rows = [_row(connection, *record, with_times=with_times) for record in group]
        columns = tuple(rows[0])
        if kind is Intent:
            statement = insert_ignore(connection.dialect.name, _TABLE, columns)
        else:
            # PostgreSQL changes no row twice in one statement, and the first outcome holds.
            rows = _first_of_each(rows)
            names = ("receipt", *(("completed_at",) if with_times else ()), "payload")
            statement = insert_or_set(connection.dialect, _TABLE, columns, _KEY, names)
        insert_rows(connection, statement, [list(row.values()) for row in rows])


def journal_entries(connection: SqlConnection, tenant_id: str, run_id: str) -> list[JournalEntry]:
    """Read the entries of a run's calls, in the order they began."""
    # SQLite indexes a key of any length.
    long_key = "NULL" if connection.dialect.name == "sqlite" else "long_call_key"
    rows = connection.execute(
        f"SELECT call_key, {long_key}, tool_name, args_hash, payload, receipt, probe "
        f"FROM {_TABLE} WHERE tenant_id = ? AND run_id = ? ORDER BY position",
        (tenant_id, run_id),
    )
    return [
        JournalEntry(
            run_id=run_id,
            call_key=row[0] if row[1] is None else decode_text(row[1]),
            tool_name=row[2],
            args_hash=row[3],
            payload=row[4],
            receipt=read_note(row[5]),
            probe=read_note(row[6]),
        )
        for row in rows.fetchall()
    ]


def _row(
    connection: SqlConnection,
    tenant_id: str,
    session_id: str,
    run_id: str,
    record: JournalRecord,
    *,
    with_times: bool,
) -> dict[str, Any]:
    dialect = connection.dialect
    key = index_key(record.call_key, dialect.name)
    row: dict[str, Any] = {
        "tenant_id": tenant_id,
        "session_id": session_id,
        "run_id": run_id,
        "call_key": key,
        # PostgreSQL refuses NUL.
        "tool_name": record.tool_name.replace("\0", "\ufffd"),
    }
    if dialect.name != "sqlite":
        row["long_call_key"] = None if key == record.call_key else encode_text(record.call_key)
    if isinstance(record, Outcome):
        outcome = {"args_hash": "", "payload": record.payload}
        row |= outcome | {"receipt": dialect.note(record.receipt)}
    else:
        row |= {"args_hash": record.args_hash, "probe": dialect.note(record.probe)}
    if with_times:
        moment = "completed_at" if isinstance(record, Outcome) else "started_at"
        row |= {"step_number": record.step_number, moment: dialect.moment(now())}
    return row


def _first_of_each(rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    first: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        first.setdefault(tuple(row[name] for name in _KEY), row)
    return list(first.values())
