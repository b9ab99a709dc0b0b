"""Migrates a SQLite file to the current schema, which `sql/tables.py` defines.

A new file gets the current tables; an older one is migrated step by step, and the steps never
change. `PRAGMA user_version` is the version of a file; a file of a newer DataAgent is refused.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from dataagent_core.errors import StorageError

if TYPE_CHECKING:
    from dataagent_core.session.stores.sql.tables import ColumnKind, SqlColumn, SqlTable

SCHEMA_VERSION: Final = 4
_TYPES: Final[Mapping["ColumnKind", str]] = {
    "any_text": "BLOB",
    "bytes": "BLOB",
    "integer": "INTEGER",
    "big_integer": "INTEGER",
}


# By version: the statements that bring a file of it to the next.
_STEPS: Final[Mapping[int, str]] = {
    1: "ALTER TABLE tool_execution_records ADD COLUMN probe TEXT",
    2: """
    CREATE TABLE usage (
        tenant_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        day TEXT NOT NULL,
        session_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        project_id TEXT NOT NULL,
        calls INTEGER NOT NULL,
        unpriced_calls INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cached_read_tokens INTEGER NOT NULL,
        cached_write_tokens INTEGER NOT NULL,
        reasoning_tokens INTEGER NOT NULL,
        cost_nano INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, run_id, day)
    ) WITHOUT ROWID;
    CREATE INDEX idx_usage_day ON usage (tenant_id, day);

    CREATE TABLE usage_days (
        tenant_id TEXT NOT NULL,
        day TEXT NOT NULL,
        user_id TEXT NOT NULL,
        project_id TEXT NOT NULL,
        calls INTEGER NOT NULL,
        unpriced_calls INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cached_read_tokens INTEGER NOT NULL,
        cached_write_tokens INTEGER NOT NULL,
        reasoning_tokens INTEGER NOT NULL,
        cost_nano INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, day, user_id, project_id)
    ) WITHOUT ROWID;

    CREATE TABLE budgets (
        tenant_id TEXT NOT NULL,
        scope TEXT NOT NULL,
        scope_id TEXT NOT NULL,
        period TEXT NOT NULL,
        cost_nano_max INTEGER,
        tokens_max INTEGER,
        PRIMARY KEY (tenant_id, scope, scope_id, period)
    ) WITHOUT ROWID;

    CREATE TABLE budget_counters (
        tenant_id TEXT NOT NULL,
        scope TEXT NOT NULL,
        scope_id TEXT NOT NULL,
        period TEXT NOT NULL,
        period_start TEXT NOT NULL,
        used_tokens INTEGER NOT NULL DEFAULT 0,
        used_cost_nano INTEGER NOT NULL DEFAULT 0,
        held_tokens INTEGER NOT NULL DEFAULT 0,
        held_cost_nano INTEGER NOT NULL DEFAULT 0,
        warned INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, scope, scope_id, period, period_start)
    ) WITHOUT ROWID;

    CREATE TABLE budget_reservations (
        tenant_id TEXT NOT NULL,
        reservation_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        project_id TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        cost_nano INTEGER,
        reserved_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        PRIMARY KEY (tenant_id, reservation_id)
    ) WITHOUT ROWID;
    CREATE INDEX idx_reservations_expiry ON budget_reservations (tenant_id, expires_at);
    """,
    3: """
    CREATE TABLE usage_of_models (
        tenant_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        day TEXT NOT NULL,
        model TEXT NOT NULL,
        session_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        project_id TEXT NOT NULL,
        calls INTEGER NOT NULL,
        unpriced_calls INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cached_read_tokens INTEGER NOT NULL,
        cached_write_tokens INTEGER NOT NULL,
        reasoning_tokens INTEGER NOT NULL,
        cost_nano INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, run_id, day, model)
    ) WITHOUT ROWID;
    INSERT INTO usage_of_models SELECT tenant_id, run_id, day, '', session_id, user_id, project_id,
        calls, unpriced_calls, input_tokens, output_tokens, cached_read_tokens,
        cached_write_tokens, reasoning_tokens, cost_nano FROM usage;
    DROP TABLE usage;
    ALTER TABLE usage_of_models RENAME TO usage;
    CREATE INDEX idx_usage_day ON usage (tenant_id, day);

    CREATE TABLE usage_days_of_models (
        tenant_id TEXT NOT NULL,
        day TEXT NOT NULL,
        user_id TEXT NOT NULL,
        project_id TEXT NOT NULL,
        model TEXT NOT NULL,
        calls INTEGER NOT NULL,
        unpriced_calls INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cached_read_tokens INTEGER NOT NULL,
        cached_write_tokens INTEGER NOT NULL,
        reasoning_tokens INTEGER NOT NULL,
        cost_nano INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, day, user_id, project_id, model)
    ) WITHOUT ROWID;
    INSERT INTO usage_days_of_models SELECT tenant_id, day, user_id, project_id, '',
        calls, unpriced_calls, input_tokens, output_tokens, cached_read_tokens,
        cached_write_tokens, reasoning_tokens, cost_nano FROM usage_days;
    DROP TABLE usage_days;
    ALTER TABLE usage_days_of_models RENAME TO usage_days;

    ALTER TABLE budget_reservations ADD COLUMN model TEXT NOT NULL DEFAULT ''
    """,
}


def refuse_newer(connection: sqlite3.Connection, path: str) -> None:
    """Raise if a newer DataAgent wrote the file."""
    version = _read_version(connection)
    if version > SCHEMA_VERSION:
        raise StorageError(
            f"{path} was written by a newer DataAgent (schema {version}, this one knows "
            f"{SCHEMA_VERSION}). Upgrade DataAgent, or set DATAAGENT_DATABASE_URL to another file."
        )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date, each step in its own transaction."""
    while _read_version(connection) < SCHEMA_VERSION:
        connection.execute("BEGIN IMMEDIATE")
        # Read again under the lock: another process may have migrated the file meanwhile.
        version = _read_version(connection)
        if version == 0:
            # Imported here: only a new file needs the definitions.
            from dataagent_core.session.stores.sql.tables import TABLES

            for table in TABLES:
                for statement in create_table(table):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        elif version < SCHEMA_VERSION:
            for statement in _STEPS[version].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute("COMMIT")


def _read_version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def create_table(table: "SqlTable") -> Iterator[str]:
    """Write the statements that make a table and its indexes."""
    parts = [_column_definition(name, column) for name, column in table.columns.items()]
    if not table.counts_up:
        parts.append(f"PRIMARY KEY ({', '.join(table.key)})")
    if table.unique:
        parts.append(f"UNIQUE ({', '.join(table.unique)})")
    rowid = "" if table.has_rowid else " WITHOUT ROWID"
    yield f"CREATE TABLE {table.name} ({', '.join(parts)}){rowid}"
    for name, columns in table.indexes.items():
        yield f"CREATE INDEX {name} ON {table.name} ({', '.join(columns)})"


def _column_definition(name: str, column: "SqlColumn") -> str:
    if column.kind == "position":
        return f"{name} INTEGER PRIMARY KEY AUTOINCREMENT"
    null = "" if column.optional else " NOT NULL"
    default = "" if column.default is None else f" DEFAULT {column.default}"
    return f"{name} {_TYPES.get(column.kind, 'TEXT')}{null}{default}"
