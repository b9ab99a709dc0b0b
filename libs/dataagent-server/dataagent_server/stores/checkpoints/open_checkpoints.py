"""Open the saver that fits a database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from dataagent_server.db.database import Database
from dataagent_server.db.sqlite_file import SqliteFile
from dataagent_server.stores.fences import Fences, NoFences


@asynccontextmanager
async def open_checkpoints(
    database: Database, fences: Fences | None = None
) -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    """Open the checkpoints of every run in this database."""
    held = fences or NoFences()
    if isinstance(database, SqliteFile):
        from dataagent_server.stores.checkpoints.sqlite_checkpointer import FencedSqliteCheckpointer

        saver = FencedSqliteCheckpointer(database.core, held)
        await saver.setup()
        yield saver
    elif database.dialect == "postgresql":
        from dataagent_server.stores.checkpoints.postgres_checkpointer import open_postgres

        async with open_postgres(database.url, held) as opened:
            yield opened
    else:
        from dataagent_server.stores.checkpoints.sql_checkpointer import SqlCheckpointer

        yield SqlCheckpointer(database, held)
