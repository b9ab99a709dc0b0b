"""Opens the database a URL names."""

from pathlib import Path

from dataagent_core.config.paths import sqlite_path
from dataagent_server.db.database import Database
from dataagent_server.db.engine_database import EngineDatabase
from dataagent_server.db.pool import PoolSizes
from dataagent_server.db.sqlite_file import SqliteFile
from dataagent_server.db.urls import database_url


async def open_database(url: str, pool: PoolSizes | None = None) -> Database:
    """Open a database without migrating it; close it with `aclose()`."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        return await SqliteFile.open(sqlite_path(url, Path()))
    return EngineDatabase(parsed, pool or PoolSizes())
