"""Reads MySQL's catalogue from information_schema, in three queries.

It has only what the login may see; if the address names a database, only that one.
"""

from collections.abc import Sequence
from typing import Any

from ..server_worker.sql_catalogue import CataloguePages, build_catalogue
from .mysql_connection import Connection
from .mysql_types import classify_mysql_type

_SYSTEM = "('information_schema', 'performance_schema', 'mysql', 'sys')"
_TABLES = """
SELECT table_schema, table_name, table_type, table_rows, table_comment
FROM information_schema.tables
WHERE table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') AND {where}
ORDER BY table_schema, table_name
"""
_COLUMNS = """
SELECT table_schema, table_name, column_name, data_type, column_type, is_nullable,
       column_comment, column_key
FROM information_schema.columns WHERE {where} AND FIND_IN_SET('select', privileges) > 0
ORDER BY table_schema, table_name, ordinal_position
"""
_FOREIGN = """
SELECT table_schema, table_name, column_name, referenced_table_schema, referenced_table_name,
       referenced_column_name
FROM information_schema.key_column_usage WHERE {where} AND referenced_table_name IS NOT NULL
"""
_FINGERPRINT = """
SELECT CONCAT_WS('/', CURRENT_USER(), DATABASE(),
  (SELECT CONCAT(COUNT(*), ':', COALESCE(SUM(CRC32(CONCAT_WS('|', table_schema, table_name,
     column_name, ordinal_position, column_type, is_nullable, column_key, column_comment,
     privileges))), 0)) FROM information_schema.columns WHERE {where}),
  (SELECT CONCAT(COUNT(*), ':', COALESCE(SUM(CRC32(CONCAT_WS('|', table_schema, table_name,
     table_type, table_comment))), 0)) FROM information_schema.tables WHERE {where}))
"""


def read_catalogue(connection: Connection, database: str, columns_max: int) -> CataloguePages:
    """Read the tables, their columns and keys."""
    columns = _query_rows(connection, _COLUMNS, database)
    foreign = _query_rows(connection, _FOREIGN, database)
    pages = build_catalogue(
        [_describe_table(row) for row in _query_rows(connection, _TABLES, database)],
        [_describe_column(row) for row in columns],
        (((row[0], row[1]), row[2]) for row in columns if row[7] == "PRI"),
        (((row[0], row[1]), row[2], _format_target(row)) for row in foreign),
        columns_max,
    )
    pages.default_schema = database
    return pages


def read_fingerprint(connection: Connection, database: str) -> str:
    """Return a text that changes with the catalogue."""
    return str(_query_rows(connection, _FINGERPRINT, database)[0][0])


def _query_rows(connection: Connection, query: str, database: str) -> Sequence[tuple[Any, ...]]:
    where = "table_schema = %s" if database else f"table_schema NOT IN {_SYSTEM}"
    with connection.cursor() as cursor:
        cursor.execute(
            query.format(where=where), (database,) * query.count("{where}") if database else None
        )
        return cursor.fetchall()


def _describe_table(row: tuple[Any, ...]) -> dict[str, Any]:
    schema, name, kind, rows, comment = row
    is_view = kind == "VIEW"
    return {
        "schema": schema,
        "name": name,
        "is_view": is_view,
        # A view's comment is the word VIEW, or an error.
        "comment": "" if is_view else comment or "",
        "rows": None if is_view or rows is None else int(rows),
    }


def _describe_column(row: tuple[Any, ...]) -> dict[str, Any]:
    schema, table, name, data_type, full_type, nullable, comment, _ = row
    return {
        "schema": schema,
        "table": table,
        "name": name,
        "type": full_type,
        "kind": classify_mysql_type(data_type),
        "nullable": nullable == "YES",
        "comment": comment or "",
    }


def _format_target(row: tuple[Any, ...]) -> str:
    schema, _, _, other_schema, other_table, other_column = row
    prefix = "" if schema == other_schema else f"{other_schema}."
    return f"{prefix}{other_table}.{other_column}"
