"""Core's SQL stores on this server's database: their statements over SQLAlchemy's connections.

On SQLite they run over the file's own connection, as in the terminal; elsewhere over the driver's,
whose errors SQLAlchemy still translates. So a statement of core can be part of any transaction.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Dialect

from dataagent_core.session.stores.sql.connection import SqlConnection, SqlCursor
from dataagent_core.session.stores.sql.dialect import (
    MARIADB,
    MYSQL,
    POSTGRESQL,
    DialectName,
    SqlDialect,
)
from dataagent_core.session.stores.sqlite.database import SqliteConnection
from dataagent_server.db.database import Database

T = TypeVar("T")


class DriverConnection:
    """A connection to PostgreSQL, MySQL or MariaDB."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.dialect: SqlDialect = _choose_dialect(connection.dialect)

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> SqlCursor:
        text = _driver_text(statement, self.dialect.name)
        # SQLAlchemy computes `rowcount` when it is first read, which a checker takes for a method.
        return cast("SqlCursor", self._connection.exec_driver_sql(text, tuple(parameters)))

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> object:
        text = _driver_text(statement, self.dialect.name)
        return self._connection.exec_driver_sql(text, [tuple(row) for row in rows])


def sql_connection(connection: Connection) -> SqlConnection:
    """Return a connection for core's statements inside a transaction of SQLAlchemy."""
    if connection.dialect.name != "sqlite":
        return DriverConnection(connection)
    driver = connection.connection.driver_connection
    assert isinstance(driver, SqliteConnection), driver
    return driver


class StoreDatabase:
    """A database as core's stores use it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, work: Callable[[SqlConnection], T], /) -> T:
        return await self._database.read(lambda c: work(sql_connection(c)))

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        return await self._database.write(lambda c: work(sql_connection(c)))


def _choose_dialect(dialect: Dialect) -> SqlDialect:
    if dialect.name == "postgresql":
        return POSTGRESQL
    return MARIADB if getattr(dialect, "is_mariadb", False) else MYSQL


# One cached text per length of a batch.
@lru_cache(maxsize=1_024)
def _driver_text(statement: str, dialect: DialectName) -> str:
    marked = statement.replace("?", "%s")
    return marked.replace('"', "`") if dialect == "mysql" else marked
