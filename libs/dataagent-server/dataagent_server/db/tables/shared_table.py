"""Core's tables as SQLAlchemy's: defined once, in `dataagent_core.session.stores.sql.tables`.

On SQLite core makes them, so that the command line and the server share one file. The columns that
the server adds are added there by its migrations, and are empty in rows the command line wrote.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from dataagent_core.session.stores.sql.tables import ColumnKind, SqlColumn, SqlTable
from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import AnyText, Blob, Id, Json, Key, LongText, Moment

# SQLite counts up only a column that is exactly INTEGER.
Counting = BigInteger().with_variant(Integer(), "sqlite")
# Text of ours that may quote a model; on SQLite core made the column, as text.
_Note = Text().with_variant(AnyText(), "postgresql", "mysql")
_TYPES: Mapping[ColumnKind, TypeEngine[Any] | type[TypeEngine[Any]]] = {
    "id": Id,
    "key": Key,
    "long_text": LongText,
    "any_text": AnyText,
    "note": _Note,
    "json": Json,
    "moment": Moment,
    "bytes": Blob,
    "integer": Integer,
    "big_integer": BigInteger,
    "position": Counting,
}


def shared_table(table: SqlTable, *added: SchemaItem) -> Table:
    """Derive a table from core's, with columns and indexes that are the server's."""
    unique = [UniqueConstraint(*table.unique)] if table.unique else []
    return Table(
        table.name,
        metadata,
        *(_make_column(table, name, column) for name, column in table.columns.items()),
        *unique,
        *(Index(name, *columns) for name, columns in table.indexes.items()),
        *added,
        sqlite_with_rowid=table.has_rowid,
        # A number that was somebody's is nobody else's later.
        sqlite_autoincrement=table.counts_up,
    )


def _make_column(table: SqlTable, name: str, column: SqlColumn) -> Column[Any]:
    is_key = name in table.key
    return Column(
        name,
        String(column.chars) if column.kind == "text" else _TYPES[column.kind],
        primary_key=is_key,
        autoincrement=column.kind == "position",
        nullable=column.optional and not is_key,
        server_default=None if column.default is None else str(column.default),
    )
