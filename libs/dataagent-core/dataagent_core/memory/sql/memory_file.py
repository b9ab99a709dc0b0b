"""Memories and their graph in one SQLite file of a person, made when the first one is stored.

The connection stays open between calls, because a new one costs more than an insert; it is closed
when the object goes. Several processes may share the file. What is removed by `erase` leaves no
byte behind: SQLite overwrites what it deletes but not copies that it made when it moved rows, so
the file is written anew, and the write-ahead log is emptied.
"""

import asyncio
import sqlite3
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from dataagent_core.errors import StorageError
from dataagent_core.memory.graph.sql.graph_tables import GRAPH_TABLES
from dataagent_core.memory.sql.memory_tables import MEMORY_TABLES
from dataagent_core.memory.sql.vector_cache import VectorCache
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sqlite.database import (
    SqliteConnection,
    connect,
    storage_error,
    use_wal,
)
from dataagent_core.session.stores.sqlite.private_file import make_private
from dataagent_core.session.stores.sqlite.schema import create_table

T = TypeVar("T")
MEMORY_FILE_VERSION: Final = 1
_MEMORY: Final = Path(":memory:")


class MemoryFile:
    """The file as core's statements use it: a `MemoryDatabase`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._vectors = VectorCache()
        self._connection: SqliteConnection | None = None
        # The file that the connection is to; it may be moved away and made anew.
        self._file_id: tuple[int, int] | None = None
        self._lock = Lock()

    @property
    def vectors(self) -> VectorCache:
        """The vectors that are kept ready for searches."""
        return self._vectors

    async def read(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which writes nothing."""
        return await asyncio.to_thread(self._read, work)

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work` in one transaction that is kept only if it returns."""
        return await asyncio.to_thread(self._write, work)

    async def erase(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which removes rows, and leave no byte of them in the file."""
        return await asyncio.to_thread(self._erase, work)

    def _read(self, work: Callable[[SqlConnection], T]) -> T:
        with self._lock, self._mapped_errors():
            # Before the first memory there is no file, and to look for one makes none.
            if not self._path.exists():
                with _open_empty() as connection:
                    return work(connection)
            return work(self._open())

    def _write(self, work: Callable[[SqlConnection], T]) -> T:
        with self._lock, self._mapped_errors():
            connection = self._open()
            with _transaction(connection):
                return work(connection)

    def _erase(self, work: Callable[[SqlConnection], T]) -> T:
        result = self._write(work)
        with self._lock, self._mapped_errors():
            connection = self._open()
            connection.execute("VACUUM")
            _empty_log(connection, self._path)
        self._vectors.clear()
        return result

    def _open(self) -> SqliteConnection:
        """Return the connection to the file that is there now."""
        if self._connection is not None and self._file_id == _identify(self._path):
            return self._connection
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        make_private(self._path)
        connection = connect(self._path)
        try:
            _prepare(connection, self._path)
        except BaseException:
            connection.close()
            raise
        weakref.finalize(self, connection.close)
        self._connection, self._file_id = connection, _identify(self._path)
        return connection

    @contextmanager
    def _mapped_errors(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise storage_error(self._path, error) from error


def _identify(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino


@contextmanager
def _open_empty() -> Generator[SqliteConnection]:
    connection = connect(_MEMORY)
    try:
        _prepare(connection, _MEMORY)
        yield connection
    finally:
        connection.close()


def _prepare(connection: SqliteConnection, path: Path) -> None:
    connection.execute("PRAGMA secure_delete = ON")
    version = _read_version(connection)
    if version > MEMORY_FILE_VERSION:
        raise StorageError(
            f"{path} was written by a newer DataAgent (schema {version}, this one knows "
            f"{MEMORY_FILE_VERSION}). Upgrade DataAgent, or move the file away."
        )
    use_wal(connection)
    if version == MEMORY_FILE_VERSION:
        return
    with _transaction(connection):
        # Again under the lock: another process may have made them meanwhile.
        if _read_version(connection) == 0:
            for table in (*MEMORY_TABLES, *GRAPH_TABLES):
                for statement in create_table(table):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {MEMORY_FILE_VERSION}")


def _read_version(connection: SqliteConnection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _empty_log(connection: SqliteConnection, path: Path) -> None:
    """Move the write-ahead log into the file and cut it to nothing; SQLite waits for readers."""
    is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if is_busy:
        raise StorageError(
            f"{path}: what was removed is gone, but its bytes are in the log beside the file as "
            "long as another process reads it. End that process, and forget it again."
        )


@contextmanager
def _transaction(connection: SqliteConnection) -> Generator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
