"""Inserts rows that may exist already: the one place where the dialects differ.

MySQL's `INSERT IGNORE` would also ignore a value that is too long, so a conflict is handled there
by an update that changes nothing, or by the error.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.exc import IntegrityError

Row = Mapping[str, Any]
_MYSQL_DUPLICATE = 1062


def insert_ignore(connection: Connection, table: Table, values: Row | Sequence[Row]) -> int:
    """Insert rows, leaving out those whose primary or unique key exists.

    For one row: return 1 if it is new, else 0. For several rows only SQLite can tell.
    """
    if not isinstance(values, Mapping):
        _insert_several(connection, table, values)
        return -1
    if connection.dialect.name != "mysql":
        return connection.execute(_make_insert_ignore(connection, table), dict(values)).rowcount
    try:
        # MySQL undoes only the failed statement, so the transaction goes on.
        connection.execute(mysql.insert(table), dict(values))
    except IntegrityError as error:
        if not _is_duplicate(error):
            raise
        return 0
    return 1


def _insert_several(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    if rows:
        connection.execute(_make_insert_ignore(connection, table), [dict(row) for row in rows])


def _make_insert_ignore(connection: Connection, table: Table) -> Insert:
    if connection.dialect.name == "mysql":
        key = next(iter(table.primary_key.columns))
        return mysql.insert(table).on_duplicate_key_update({key.name: key})
    module = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = module.insert(table).on_conflict_do_nothing()
    return statement.execution_options(preserve_rowcount=True)


def _is_duplicate(error: IntegrityError) -> bool:
    arguments = getattr(error.orig, "args", ())
    return bool(arguments) and arguments[0] == _MYSQL_DUPLICATE


def upsert(
    connection: Connection,
    table: Table,
    values: Row | Sequence[Row],
    *,
    update: Sequence[str] | None = None,
) -> None:
    """Insert rows; where the primary key exists, set the `update` columns (all but the key)."""
    keys = [column.name for column in table.primary_key.columns]
    given = [values] if isinstance(values, Mapping) else values
    # PostgreSQL changes no row twice in one statement; the last one wins.
    rows = list({tuple(row[key] for key in keys): row for row in given}.values())
    if not rows:
        return
    names = update if update is not None else [name for name in rows[0] if name not in keys]
    if connection.dialect.name == "mysql":
        mine = mysql.insert(table)
        statement = mine.on_duplicate_key_update({name: mine.inserted[name] for name in names})
    else:
        module = postgresql if connection.dialect.name == "postgresql" else sqlite
        own = module.insert(table)
        statement = own.on_conflict_do_update(
            index_elements=keys, set_={name: own.excluded[name] for name in names}
        )
    connection.execute(statement, [dict(row) for row in rows])
