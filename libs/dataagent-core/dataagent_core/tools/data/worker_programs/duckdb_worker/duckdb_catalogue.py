"""Describes the tables of files and of a DuckDB file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from ..question_server import QuestionError
from ..table_names import quote_name
from .duckdb_tables import DuckdbTables
from .duckdb_types import classify_duckdb_type

# Files up to this size are counted, larger ones estimated.
_COUNTED_BYTES = 64_000_000
_TABLES_MAX = 5_000


def describe_files(
    connection: duckdb.DuckDBPyConnection, tables: DuckdbTables, names: list[str]
) -> Iterator[dict[str, Any] | str]:
    """Describe tables one by one; a file that cannot be read gives a note."""
    for name in names:
        try:
            rows, exact = _count_rows(connection, tables, name)
            plan = tables.prepare(name)
        except QuestionError as error:
            yield str(error)
            continue
        yield {
            "name": name,
            "columns": [
                {"name": c, "type": t, "kind": classify_duckdb_type(t)} for c, t in plan.columns
            ],
            "rows": rows,
            "rows_exact": exact,
            "notes": [f"{tables.origins[name].file}: {note}" for note in plan.all_notes],
        }


def _count_rows(
    connection: duckdb.DuckDBPyConnection, tables: DuckdbTables, name: str
) -> tuple[int | None, bool]:
    origin, plan = tables.origins[name], tables.prepare(name)
    if origin.format == "parquet":
        return plan.rows_estimate, True
    if origin.sheet is None and Path(origin.path).stat().st_size > _COUNTED_BYTES:
        return plan.rows_estimate, False
    try:
        counted = connection.execute(f"SELECT count(*) FROM {quote_name(name)}").fetchone()
    except duckdb.Error as error:
        if tables.learn(str(error)) is None:
            raise QuestionError(f"{origin.file}: {tables.clean_message(str(error))}") from error
        return _count_rows(connection, tables, name)
    return (int(counted[0]), True) if counted else (None, False)


def describe_database(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any] | str]:
    """Describe the tables and views of a DuckDB file."""
    columns = _read_columns(connection)
    keys, links = _read_constraints(connection)
    relations = connection.execute(
        "SELECT schema_name, table_name, comment, estimated_size, false FROM duckdb_tables() "
        "WHERE database_name = current_database() AND NOT internal UNION ALL "
        "SELECT schema_name, view_name, comment, NULL, true FROM duckdb_views() "
        "WHERE database_name = current_database() AND NOT internal ORDER BY ALL "
        f"LIMIT {_TABLES_MAX + 1}"
    ).fetchall()
    notes = (
        [f"only the first {_TABLES_MAX} tables are listed"] if len(relations) > _TABLES_MAX else []
    )
    tables: list[dict[str, Any] | str] = [
        {
            "schema": "" if schema == "main" else schema,
            "name": name,
            "comment": comment or "",
            "rows": rows,
            "rows_exact": False,
            "is_view": is_view,
            "columns": [
                {
                    **column,
                    "primary": (schema, name, column["name"]) in keys,
                    "references": links.get((schema, name, column["name"])),
                }
                for column in columns.get((schema, name), [])
            ],
        }
        for schema, name, comment, rows, is_view in relations[:_TABLES_MAX]
    ]
    return [*tables, *notes]


def _read_columns(
    connection: duckdb.DuckDBPyConnection,
) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    rows = connection.execute(
        "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment "
        "FROM duckdb_columns() WHERE database_name = current_database() AND NOT internal "
        "ORDER BY schema_name, table_name, column_index"
    ).fetchall()
    for schema, table, name, kind, nullable, comment in rows:
        found.setdefault((schema, table), []).append(
            {
                "name": name,
                "type": kind,
                "kind": classify_duckdb_type(kind),
                "nullable": nullable,
                "comment": comment or "",
            }
        )
    return found


def _read_constraints(
    connection: duckdb.DuckDBPyConnection,
) -> tuple[set[tuple[str, str, str]], dict[tuple[str, str, str], str]]:
    keys: set[tuple[str, str, str]] = set()
    links: dict[tuple[str, str, str], str] = {}
    rows = connection.execute(
        "SELECT schema_name, table_name, constraint_type, constraint_column_names, "
        "referenced_table, referenced_column_names FROM duckdb_constraints() "
        "WHERE database_name = current_database()"
    ).fetchall()
    for schema, table, kind, columns, other, other_columns in rows:
        if kind == "PRIMARY KEY":
            keys |= {(schema, table, column) for column in columns}
        elif kind == "FOREIGN KEY":
            for column, target in zip(columns, other_columns, strict=False):
                links[schema, table, column] = f"{other}.{target}"
    return keys, links
