"""The one-file database: core's writer thread and connection, with SQLAlchemy on top.

The terminal uses the same file. Writes are serialized in core's thread; reads have their own
connections and, with write-ahead logging, never wait.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import URL, Connection, Engine, QueuePool, StaticPool, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError

from dataagent_core.session.stores.sql.dialect import DialectName
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.session.stores.sqlite.database import connect, storage_error
from dataagent_server.db.failures import explain_error

T = TypeVar("T")
_READERS = 2


class SqliteFile:
    """An open SQLite file."""

    dialect: DialectName = "sqlite"

    def __init__(self, core: SqliteDatabase) -> None:
        self.core = core
        self.url = URL.create("sqlite", database=str(core.path))
        self._writer = _make_writer(core)
        self._reader = _make_readers(core.path)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="sqlite-read")

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open the file, created if missing, with core's tables in it."""
        core = SqliteDatabase(path)
        await core.__aenter__()
        return cls(core)

    async def write(self, work: Callable[[Connection], T]) -> T:
        def transaction() -> T:
            with self._writer.begin() as connection:
                return work(connection)

        return await self._map_errors(self.core.read(lambda _: transaction()))

    async def read(self, work: Callable[[Connection], T]) -> T:
        def reading() -> T:
            with self._reader.connect() as connection:
                return work(connection)

        loop = asyncio.get_running_loop()
        return await self._map_errors(loop.run_in_executor(self._readers, reading))

    async def aclose(self) -> None:
        await asyncio.to_thread(self._readers.shutdown)
        self._reader.dispose()
        await self.core.__aexit__(None, None, None)

    async def _map_errors(self, doing: Awaitable[T]) -> T:
        try:
            return await doing
        except sqlite3.Error as error:
            raise storage_error(self.core.path, error) from error
        except OperationalError as error:
            if isinstance(error.orig, sqlite3.Error):
                raise storage_error(self.core.path, error.orig) from error
            raise
        except (DBAPIError, UnicodeEncodeError) as error:
            raise explain_error(error, self.url) from error


def _make_writer(core: SqliteDatabase) -> Engine:
    engine = create_engine("sqlite://", creator=lambda: core.connection, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        # The lock is taken at once: a transaction that begins by reading could not get it later.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _make_readers(path: Path) -> Engine:
    def read_only() -> sqlite3.Connection:
        connection = connect(path)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return create_engine("sqlite://", creator=read_only, poolclass=QueuePool, pool_size=_READERS)
