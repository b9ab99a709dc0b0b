"""One SQLite file with one connection, used by one thread.

Every access is a function sent to that thread: the event loop never blocks, transactions do not
interleave, and the process has one writer. Other processes may use the file; SQLite's lock and
`SQLITE_BUSY_S` arbitrate. The file uses write-ahead logging, so readers and the writer do not wait
for each other; switching the mode fails while others open the file, so `use_wal` retries.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from dataagent_core.config.limits import SQLITE_BUSY_S
from dataagent_core.errors import ConflictError, StorageError, ValidationError
from dataagent_core.session.stores.sql.dialect import SQLITE, SqlDialect
from dataagent_core.session.stores.sqlite.private_file import make_private
from dataagent_core.session.stores.sqlite.schema import migrate, refuse_newer

_RETRY_PAUSE_S = 0.005


def use_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to WAL; one that is in this mode already is left as it is."""
    deadline = time.monotonic() + SQLITE_BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_PAUSE_S)
        else:
            break
    # In WAL mode NORMAL keeps every commit through a killed process; only a power cut can
    # take the newest ones, and never leaves the file damaged.
    connection.execute("PRAGMA synchronous = NORMAL")


T = TypeVar("T")


class SqliteConnection(sqlite3.Connection):
    """The library's connection, which the statements of `stores/sql/` run over as it is."""

    dialect: SqlDialect = SQLITE


class SqliteDatabase:
    """An open database file; use it as an async context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite")
        self._connection: SqliteConnection | None = None

    async def __aenter__(self) -> Self:
        try:
            await self._in_thread(self._open)
        except BaseException:
            self._thread.shutdown(wait=False)
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._in_thread(self._close)
        self._thread.shutdown(wait=True)

    @property
    def connection(self) -> SqliteConnection:
        """The connection, for code that already runs in the database's thread."""
        if self._connection is None:
            raise StorageError(f"{self.path} is not open.")
        return self._connection

    async def write(self, work: Callable[[SqliteConnection], T]) -> T:
        """Run `work` in a transaction that is kept only if it returns."""

        def transaction() -> T:
            connection = self.connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            return result

        return await self._in_thread(transaction)

    async def read(self, work: Callable[[SqliteConnection], T]) -> T:
        """Run `work` without a transaction of its own."""
        return await self._in_thread(lambda: work(self.connection))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.Error as error:
            raise storage_error(self.path, error) from error
        except UnicodeEncodeError as error:
            raise ValidationError(
                f"an id or a name holds {error.object[error.start]!r}, which is no character; "
                "use letters that can be written as UTF-8."
            ) from error

    def _open(self) -> None:
        make_private(self.path)
        connection = connect(self.path)
        try:
            refuse_newer(connection, str(self.path))
            use_wal(connection)
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def connect(path: Path) -> SqliteConnection:
    """Connect to a file; transactions begin and end only by statements."""
    return sqlite3.connect(
        path,
        timeout=SQLITE_BUSY_S,
        isolation_level=None,
        check_same_thread=False,
        factory=SqliteConnection,
    )


def storage_error(path: Path, error: sqlite3.Error) -> StorageError | ConflictError:
    """Convert an error of SQLite to one of ours, with advice."""
    text = str(error)
    if isinstance(error, sqlite3.IntegrityError):
        return ConflictError(f"the database refused a duplicate or an orphan: {text}.")
    if "full" in text:
        way_out = "The disk is full: free some space, then run again; nothing written was lost."
    elif "not a database" in text or "malformed" in text:
        way_out = "The file is damaged: move it away (a new one is made) or restore a copy."
    elif "readonly" in text or "unable to open" in text:
        way_out = "Check that the file and its folder can be written."
    elif "locked" in text:
        way_out = "Another process holds the database: wait for it, or stop it."
    else:
        way_out = "Run `dataagent doctor` to check the database."
    return StorageError(f"database {path}: {text}. {way_out}")
