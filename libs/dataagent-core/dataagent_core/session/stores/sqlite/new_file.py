"""The statements that make the tables of `sql/tables.py` in a new SQLite file."""

from collections.abc import Iterator, Mapping
from typing import Final

from dataagent_core.session.stores.sql.tables import TABLES, ColumnKind, SqlColumn, SqlTable

_TYPES: Final[Mapping[ColumnKind, str]] = {
    "any_text": "BLOB",
    "bytes": "BLOB",
    "integer": "INTEGER",
    "big_integer": "INTEGER",
}


def create_statements() -> Iterator[str]:
    """Write what makes every table and index."""
    for table in TABLES:
        yield from _create(table)


def _create(table: SqlTable) -> Iterator[str]:
    parts = [_column(name, column) for name, column in table.columns.items()]
    if not table.counts_up:
        parts.append(f"PRIMARY KEY ({', '.join(table.key)})")
    if table.unique:
        parts.append(f"UNIQUE ({', '.join(table.unique)})")
    rowid = "" if table.has_rowid else " WITHOUT ROWID"
    yield f"CREATE TABLE {table.name} ({', '.join(parts)}){rowid}"
    for name, columns in table.indexes.items():
        yield f"CREATE INDEX {name} ON {table.name} ({', '.join(columns)})"


def _column(name: str, column: SqlColumn) -> str:
    if column.kind == "position":
        return f"{name} INTEGER PRIMARY KEY AUTOINCREMENT"
    null = "" if column.optional else " NOT NULL"
    default = "" if column.default is None else f" DEFAULT {column.default}"
    return f"{name} {_TYPES.get(column.kind, 'TEXT')}{null}{default}"
