"""Describes the tables of a SQLite file with their keys, and comments from the DDL."""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

from ..table_names import quote_name

_TABLES_MAX = 5_000
# Counting scans a whole table: limited in rows, and in time over all tables.
_COUNTED_ROWS_MAX = 2_000_000
_COUNTING_S_MAX = 5.0
_AFFINITIES: tuple[tuple[str, str], ...] = (
    ("BOOL", "boolean"),
    ("TIMESTAMP", "timestamp"),
    ("DATETIME", "timestamp"),
    ("DATE", "date"),
    ("TIME", "time"),
    ("INT", "integer"),
    ("CHAR", "text"),
    ("CLOB", "text"),
    ("TEXT", "text"),
    ("JSON", "text"),
    ("BLOB", "binary"),
    ("REAL", "float"),
    ("FLOA", "float"),
    ("DOUB", "float"),
    ("DEC", "decimal"),
    ("NUM", "decimal"),
)


def classify_sqlite_type(declared: str) -> str:
    """Return the kind of a declared type (`data_model.ColumnKind`); without one it is text."""
    upper = declared.upper()
    return next((kind for mark, kind in _AFFINITIES if mark in upper), "text")


def describe_sqlite_tables(
    connection: sqlite3.Connection, start: int
) -> Iterator[dict[str, Any] | str]:
    """Describe tables and views from number `start`; one that cannot be read gives a note."""
    # Shadow tables of a full-text table are read through that table.
    behind = [row[1] for row in connection.execute("PRAGMA table_list") if row[2] == "shadow"]
    found = connection.execute(
        "SELECT name, type, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY name LIMIT ? OFFSET ?",
        (json.dumps(behind), _TABLES_MAX + 1, start),
    ).fetchall()
    counting_ends = time.monotonic() + _COUNTING_S_MAX
    for name, kind, ddl in found[:_TABLES_MAX]:
        try:
            table = _describe_table(connection, name, ddl)
            if kind == "table" and time.monotonic() < counting_ends:
                table["rows"] = _count_rows(connection, name)
        except sqlite3.Error as error:
            yield f"{name} cannot be read: {error}"
            continue
        yield {**table, "is_view": kind == "view", "rows_exact": table["rows"] is not None}
    if len(found) > _TABLES_MAX:
        yield f"only the first {_TABLES_MAX} tables are listed"


def _describe_table(connection: sqlite3.Connection, name: str, ddl: str) -> dict[str, Any]:
    links = {
        row[3]: f"{row[2]}.{row[4] or row[3]}"
        for row in connection.execute(f"PRAGMA foreign_key_list({quote_name(name)})")
    }
    comments = _read_comments(ddl)
    columns = [
        {
            "name": column,
            "type": declared or "ANY",
            "kind": classify_sqlite_type(declared),
            "nullable": not required and not key,
            "primary": bool(key),
            "references": links.get(column),
            "comment": comments.get(column.lower(), ""),
        }
        for _, column, declared, required, _, key, hidden in connection.execute(
            f"PRAGMA table_xinfo({quote_name(name)})"
        )
        if hidden != 1
    ]
    return {"name": name, "columns": columns, "rows": None}


def _count_rows(connection: sqlite3.Connection, name: str) -> int | None:
    row = connection.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM {quote_name(name)} LIMIT {_COUNTED_ROWS_MAX + 1})"
    ).fetchone()
    return row[0] if row[0] <= _COUNTED_ROWS_MAX else None


def _read_comments(ddl: str) -> dict[str, str]:
    """Read `column TYPE, -- what it means` out of a table's own text."""
    found = re.findall(r'^\s*["`\[]?(\w+)["`\]]?[^\n]*?--\s*([^\n]+)$', ddl, re.MULTILINE)
    return {name.lower(): comment.strip()[:500] for name, comment in found}
