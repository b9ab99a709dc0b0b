"""Roll up the use of days long past and of deleted sessions.

What stays is a row per day, person, project and model. It is done a piece at a time, in small
transactions. The rows of a piece are locked while they are added up, so two processes that do it at
once never count one twice.
"""

from collections.abc import Sequence
from typing import Any, Final

from dataagent_core.config.limits import USAGE_ROLLED_UP_AT_ONCE_MAX
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase
from dataagent_core.session.stores.sql.dialect import KEYS_PER_STATEMENT_MAX, insert_ignore, rows_in
from dataagent_core.session.stores.sql.usage_statements import (
    ADD_SUMS,
    COUNTER_KEY,
    LEDGER,
    OWNER,
    SUMS,
)

_MONTH_CHARS = len("2026-11")
_ROW_KEY: Final = ("tenant_id", "run_id", "day", "model")
_COLUMNS: Final = ", ".join((*_ROW_KEY, *OWNER, *SUMS))
_KEY_END: Final = len(_ROW_KEY)
_OWNER_END: Final = _KEY_END + len(OWNER)


async def roll_up(database: SqlDatabase, tenant_id: str, before: str) -> int:
    """Join rows of days before one, and drop counters of periods that are over."""
    joined = 0
    while found := await database.write(lambda c: _roll_up_batch(c, tenant_id, before)):
        joined += found
    while await database.write(lambda c: _drop_old_counters(c, tenant_id, before)):
        pass
    return joined


def join_session(connection: SqlConnection, tenant_id: str, session_id: str) -> None:
    """Keep the usage of a session that is deleted, without its id."""
    _roll_up(connection, tenant_id, "session_id = ?", (session_id,))


def _roll_up_batch(connection: SqlConnection, tenant_id: str, before: str) -> int:
    some = "day < ? ORDER BY day, run_id, model LIMIT ?"
    return _roll_up(connection, tenant_id, some, (before, USAGE_ROLLED_UP_AT_ONCE_MAX))


def _roll_up(
    connection: SqlConnection, tenant_id: str, which: str, values: Sequence[object]
) -> int:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {LEDGER} "
        f"WHERE tenant_id = ? AND {which}{connection.dialect.for_update}",
        (tenant_id, *values),
    ).fetchall()
    sums: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for row in rows:
        owner = tuple(row[_KEY_END:_OWNER_END])
        sums.setdefault(owner, []).append(tuple(row[_OWNER_END:]))
    make = insert_ignore(connection.dialect.name, "usage_days", (*OWNER, *SUMS))
    mine = " AND ".join(f"{name} = ?" for name in OWNER)
    for owner, parts in sums.items():
        connection.execute(make, (*owner, *(0 for _ in SUMS)))
        more = [sum(column) for column in zip(*parts, strict=True)]
        connection.execute(f"UPDATE usage_days SET {ADD_SUMS} WHERE {mine}", (*more, *owner))
    _delete_rows(connection, tenant_id, rows)
    return len(rows)


def _delete_rows(connection: SqlConnection, tenant_id: str, rows: Sequence[Sequence[Any]]) -> None:
    _delete(connection, LEDGER, _ROW_KEY, [row[:_KEY_END] for row in rows])
    runs = [(tenant_id, "run", row[1], "run", "") for row in rows]
    _delete(connection, "budget_counters", COUNTER_KEY, runs)


def _drop_old_counters(connection: SqlConnection, tenant_id: str, before: str) -> int:
    old = connection.execute(
        f"SELECT {', '.join(COUNTER_KEY)} FROM budget_counters WHERE tenant_id = ? AND "
        "(period = 'day' AND period_start < ? OR period = 'month' AND period_start < ?) LIMIT ?",
        (tenant_id, before, before[:_MONTH_CHARS], USAGE_ROLLED_UP_AT_ONCE_MAX),
    ).fetchall()
    # By their keys: a search for them would lock what runs are counting in.
    _delete(connection, "budget_counters", COUNTER_KEY, old)
    return len(old)


def _delete(
    connection: SqlConnection, table: str, key: tuple[str, ...], rows: Sequence[Sequence[Any]]
) -> None:
    for start in range(0, len(rows), KEYS_PER_STATEMENT_MAX):
        some = rows[start : start + KEYS_PER_STATEMENT_MAX]
        these = rows_in(connection.dialect.name, key, len(some))
        values = [part for row in some for part in row]
        connection.execute(f"DELETE FROM {table} WHERE {these}", values)
