"""What must stay as it is whatever is asked: rows, settings, locks, sequences and files."""

import hashlib
from pathlib import Path
from typing import Any

import pymysql
from sql_data import TABLES, Engine
from sql_engines import Shop
from sql_evasion import CANARY

_WIPES = "LANGUAGE plpgsql AS 'BEGIN DELETE FROM region; RETURN 1; END'"
# Things an attempt could use, made before anybody asks.
_PREPARED: dict[Engine, tuple[str, ...]] = {
    "postgres": (
        "CREATE TABLE secrets (v text)",
        f"INSERT INTO secrets VALUES ('{CANARY}')",
        "CREATE SEQUENCE s",
        "SELECT nextval('s')",
        f"CREATE FUNCTION wipe() RETURNS int {_WIPES}",
        f"CREATE FUNCTION wipe(region) RETURNS int {_WIPES}",
        f"CREATE FUNCTION wipe_row(region) RETURNS int {_WIPES}",
        f"CREATE FUNCTION lower(region) RETURNS text {_WIPES}",
        f"CREATE FUNCTION added(int, int) RETURNS int {_WIPES}",
        "CREATE OPERATOR public.<+> (LEFTARG = int, RIGHTARG = int, FUNCTION = added)",
        "SET statement_timeout = '10s'",
    ),
    "mysql": (
        "CREATE TABLE secrets (v text) DEFAULT CHARSET utf8mb4",
        f"INSERT INTO secrets VALUES ('{CANARY}')",
        "CREATE SEQUENCE s NOCACHE",
        "SELECT NEXTVAL(s)",
        "CREATE FUNCTION wipe() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM region; RETURN 1; END",
        "SET max_statement_time = 10",
    ),
    "duckdb": (
        "CREATE TABLE secrets (v varchar)",
        f"INSERT INTO secrets VALUES ('{CANARY}')",
        "CREATE SEQUENCE s",
        "SELECT nextval('s')",
        "CREATE MACRO peek() AS (SELECT v FROM secrets)",
        "CREATE MACRO peek_table() AS TABLE SELECT v FROM secrets",
    ),
    "sqlite": (
        "CREATE TABLE secrets (v text)",
        f"INSERT INTO secrets VALUES ('{CANARY}')",
    ),
}
_SEEN: dict[Engine, dict[str, str]] = {
    "postgres": {
        "settings": "SELECT name, setting FROM pg_settings ORDER BY 1",
        "locks": "SELECT locktype, objid FROM pg_locks WHERE locktype = 'advisory'",
        "sequence": "SELECT last_value FROM s",
        "tables": "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
        "ORDER BY 1",
        "large objects": "SELECT count(*) FROM pg_largeobject_metadata",
        "cursors": "SELECT name FROM pg_cursors WHERE is_holdable",
        "listening": "SELECT pg_listening_channels()",
        "prepared": "SELECT name FROM pg_prepared_statements WHERE from_sql",
    },
    "mysql": {
        "settings": "SELECT variable_name, variable_value FROM information_schema.session_variables "
        "WHERE variable_name NOT IN ('TIMESTAMP', 'RAND_SEED1', 'RAND_SEED2', 'LAST_GTID', "
        "'PSEUDO_THREAD_ID', 'IN_TRANSACTION') ORDER BY 1",
        "locks": "SELECT is_used_lock('l'), is_used_lock('1')",
        "sequence": "SELECT next_not_cached_value FROM s",
        "tables": "SELECT table_name FROM information_schema.tables "
        "WHERE table_schema = database() ORDER BY 1",
        "variable": "SELECT @v",
        "last insert": "SELECT last_insert_id()",
    },
    "duckdb": {
        "settings": "SELECT name, value FROM duckdb_settings() ORDER BY 1",
        "sequence": "SELECT last_value FROM duckdb_sequences()",
        "tables": "SELECT table_name FROM duckdb_tables() ORDER BY 1",
        "functions": "SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY 1",
        "databases": "SELECT database_name FROM duckdb_databases() ORDER BY 1",
        "variables": "SELECT * FROM duckdb_variables()",
    },
    "sqlite": {
        "settings": "SELECT * FROM pragma_query_only, pragma_journal_mode, pragma_user_version",
        "tables": "SELECT name, sql FROM sqlite_master ORDER BY 1",
        "databases": "SELECT name FROM pragma_database_list",
        "changes": "SELECT total_changes()",
    },
}


def prepare(shop: Shop) -> None:
    """Make what an attempt could use."""
    connection: Any = shop.connection  # type: ignore[attr-defined]
    execute: Any = (
        connection.cursor().execute
        if isinstance(connection, pymysql.connections.Connection)
        else connection.execute
    )
    for statement in _PREPARED[shop.engine]:
        execute(statement)


def seen(shop: Shop, folder: Path) -> dict[str, object]:
    """Say how everything is that must not change."""
    state: dict[str, object] = {what: shop.ask(sql) for what, sql in _SEEN[shop.engine].items()}
    for table in (*TABLES, "secrets"):
        rows = sorted(map(repr, shop.ask(f"SELECT * FROM {table}")))
        state[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    state["files"] = sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))
    return state
