"""Patterns in a SQLite file of their own, which is made when the first one is stored.

Each access opens the file, so nothing has to be closed, and several processes may share it.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeVar

from dataagent_core.patterns.sql.pattern_tables import PATTERN_TABLES
from dataagent_core.patterns.sql.sql_pattern_store import SqlPatternStore
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
_MEMORY: Final = Path(":memory:")


def open_pattern_store(path: Path, tenant_id: str) -> SqlPatternStore:
    """Open the patterns in a file."""
    return SqlPatternStore(PatternFile(path), tenant_id)


class PatternFile:
    """The file as core's statements use it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def read(self, work: Callable[[SqlConnection], T]) -> T:
        return await asyncio.to_thread(self._read, work)

    async def write(self, work: Callable[[SqlConnection], T]) -> T:
        return await asyncio.to_thread(self._write, work)

    def _read(self, work: Callable[[SqlConnection], T]) -> T:
        # Before the first pattern there is no file, and to look for one makes none.
        with self._open(self._path if self._path.exists() else _MEMORY) as connection:
            return work(connection)

    def _write(self, work: Callable[[SqlConnection], T]) -> T:
        make_private(self._path)
        with self._open(self._path) as connection, _transaction(connection):
            return work(connection)

    @contextmanager
    def _open(self, path: Path) -> Generator[SqliteConnection]:
        try:
            with closing(connect(path)) as connection:
                _make_tables(connection)
                yield connection
        except sqlite3.Error as error:
            raise storage_error(self._path, error) from error


def _make_tables(connection: SqliteConnection) -> None:
    if _has_tables(connection):
        return
    use_wal(connection)
    with _transaction(connection):
        # Again under the lock: another process may have made them meanwhile.
        if not _has_tables(connection):
            for table in PATTERN_TABLES:
                for statement in create_table(table):
                    connection.execute(statement)
            connection.execute("PRAGMA user_version = 1")


def _has_tables(connection: SqliteConnection) -> bool:
    return connection.execute("PRAGMA user_version").fetchone()[0] > 0


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
