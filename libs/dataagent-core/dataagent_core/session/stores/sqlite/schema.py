"""Bring a SQLite file to the current schema, which `sql/tables.py` defines.

A new file gets the tables as they are; an older one goes step by step, and the steps never change.
`PRAGMA user_version` says which a file has seen; a file from a newer DataAgent is refused rather
than guessed at.
"""

import sqlite3
from collections.abc import Mapping
from typing import Final

from dataagent_core.errors import StorageError

SCHEMA_VERSION: Final = 4
# What a file of a version lacks of the next.
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
    """Leave a file alone that a newer DataAgent wrote."""
    version = _version(connection)
    if version > SCHEMA_VERSION:
        raise StorageError(
            f"{path} was written by a newer DataAgent (schema {version}, this one knows "
            f"{SCHEMA_VERSION}). Upgrade DataAgent, or set DATAAGENT_DATABASE_URL to another file."
        )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date, each step in its own transaction."""
    while _version(connection) < SCHEMA_VERSION:
        connection.execute("BEGIN IMMEDIATE")
        # Asked again under the lock: another process may have taken the step meanwhile.
        version = _version(connection)
        if version == 0:
            # Only the first start of a person needs the definitions.
            from dataagent_core.session.stores.sqlite.new_file import create_statements

            for statement in create_statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        elif version < SCHEMA_VERSION:
            for statement in _STEPS[version].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]
