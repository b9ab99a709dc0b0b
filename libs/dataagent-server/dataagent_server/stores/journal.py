"""The tool-call journal's rows: the first intent stays, and so does the first outcome."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import mysql, postgresql, sqlite

from dataagent_core.session.log import Intent, JournalEntry, JournalRecord, Outcome
from dataagent_core.session.state import now
from dataagent_server.db.database import Dialect
from dataagent_server.db.tables.conversations import tool_execution_records as records
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.stores.keys import indexed

if TYPE_CHECKING:
    from dataagent_server.stores.appends import Append

_KEY = ("tenant_id", "run_id", "call_key")


def insert_records(connection: Connection, appends: Iterable["Append"], dialect: Dialect) -> None:
    """Write the journal records of several appends, each kind in as few statements as may be."""
    pairs = ((item, record) for item in appends for record in item.journal)
    for kind, group in groupby(pairs, key=lambda pair: type(pair[1])):
        rows = [_row(item, record, dialect) for item, record in group]
        if kind is Intent:
            insert_ignore(connection, records, rows)
        else:
            _insert_outcomes(connection, rows)


def entries(connection: Connection, tenant_id: str, run_id: str) -> list[JournalEntry]:
    """Read what is known of a run's calls, in the order they began."""
    columns = ("call_key", "long_call_key", "tool_name", "args_hash", "payload", "receipt", "probe")
    found = select(*(records.c[name] for name in columns)).where(
        records.c.tenant_id == tenant_id, records.c.run_id == run_id
    )
    return [
        JournalEntry(
            run_id=run_id,
            call_key=row.call_key if row.long_call_key is None else row.long_call_key,
            tool_name=row.tool_name,
            args_hash=row.args_hash,
            payload=row.payload,
            receipt=row.receipt,
            probe=row.probe,
        )
        for row in connection.execute(found.order_by(records.c.position))
    ]


def _row(item: "Append", record: JournalRecord, dialect: Dialect) -> dict[str, Any]:
    key = indexed(record.call_key, dialect)
    outcome = isinstance(record, Outcome)
    row: dict[str, Any] = {
        "tenant_id": item.tenant_id,
        "session_id": item.session_id,
        "run_id": item.run_id,
        "call_key": key,
        "long_call_key": None if key == record.call_key else record.call_key,
        "tool_name": record.tool_name.replace("\0", "\ufffd"),
        "args_hash": "" if outcome else record.args_hash,
        "step_number": record.step_number,
    }
    if outcome:
        return row | {
            "payload": record.payload,
            "receipt": record.receipt,
            "completed_at": now(),
        }
    return row | {"started_at": now(), "probe": record.probe}


def _insert_outcomes(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    names = ("receipt", "completed_at", "payload")
    if connection.dialect.name == "mysql":
        mine = mysql.insert(records)
        # MySQL sets from left to right and compares with what it has set: the payload is last.
        statement = mine.on_duplicate_key_update(
            [
                (name, func.if_(records.c.payload.is_(None), mine.inserted[name], records.c[name]))
                for name in names
            ]
        )
    else:
        module = postgresql if connection.dialect.name == "postgresql" else sqlite
        own = module.insert(records)
        statement = own.on_conflict_do_update(
            index_elements=_KEY,
            set_={name: own.excluded[name] for name in names},
            where=records.c.payload.is_(None),
        )
    # PostgreSQL changes no row twice in one statement, and the first outcome is the one that holds.
    first: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        first.setdefault(tuple(row[name] for name in _KEY), dict(row))
    connection.execute(statement, list(first.values()))
