"""Brings a database's schema up to date, once, however many processes start at the same moment.

On SQLite the transaction that migrates is the lock; PostgreSQL and MySQL have advisory locks.
SQLite is migrated when a server opens it; on the others an operator runs `dataagent-server
migrate`, and a server that finds an older schema refuses to start.
"""

from pathlib import Path
from typing import Literal

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from dataagent_core.errors import StorageError
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database

SchemaState = Literal["empty", "outdated", "current", "newer"]
_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK_NAME = "dataagent_migrate"
_LOCK_NUMBER = 0x6461_7461
_LOCK_WAIT_S = 600


async def migrate(url: str) -> None:
    """Open the database a URL names, bring its schema up to date, and close it."""
    database = await open_database(url)
    try:
        await migrate_open(database)
    finally:
        await database.aclose()


async def migrate_open(database: Database) -> None:
    """Bring the schema of an open database up to date; a newer schema stays."""
    if await schema_state(database) == "current":
        return
    await database.write(_upgrade)


async def schema_state(database: Database) -> SchemaState:
    """Compare the schema with the one this server knows."""
    version = await database.read(_read_version)
    scripts = ScriptDirectory.from_config(_make_config())
    known = [script.revision for script in scripts.walk_revisions()]
    match version:
        case None:
            return "empty"
        case revision if revision == known[0]:
            return "current"
        case revision if revision in known:
            return "outdated"
        case _:
            return "newer"


async def require_current(database: Database) -> None:
    """Refuse a schema of another version."""
    match await schema_state(database):
        case "current":
            return
        case "newer":
            raise StorageError(
                f"database {database.url} was migrated by a newer DataAgent. Upgrade this server."
            )
        case "empty" | "outdated":
            raise StorageError(
                f"database {database.url} has no current schema. Run `dataagent-server migrate` "
                "once, then start the server again."
            )


def _make_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config


def _read_version(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection) -> None:
    config = _make_config()
    config.attributes["connection"] = connection
    _lock(connection)
    version = _read_version(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if version is not None and version not in known:
        raise StorageError("the database was migrated by a newer DataAgent. Upgrade this server.")
    try:
        command.upgrade(config, "head")
    finally:
        if connection.dialect.name == "mysql" and not connection.invalidated:
            connection.execute(text("SELECT RELEASE_LOCK(:name)"), {"name": _LOCK_NAME})


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK_NUMBER})
    elif connection.dialect.name == "mysql":
        # MySQL commits with every table it makes, so its lock belongs to the connection.
        wish = {"name": _LOCK_NAME, "wait_s": _LOCK_WAIT_S}
        if not connection.execute(text("SELECT GET_LOCK(:name, :wait_s)"), wish).scalar():
            raise StorageError("another server has been migrating this database for too long.")
