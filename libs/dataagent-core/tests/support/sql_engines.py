"""The four engines with the tiny shop inside, each with a login that may do everything.

What the guard lets through must be harmless even there.
"""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import duckdb
import psycopg
import pymysql
from sql_data import Engine, create_statements, rows

from tests.services.names import unique_name

Rows = list[tuple[Any, ...]]
Answer = tuple[list[str], Rows]


class Shop(Protocol):
    """One engine, asked in plain SQL."""

    engine: Engine
    # What its driver raises for a query that cannot run.
    errors: type[Exception]

    def run(self, sql: str) -> object:
        """Run what gives no rows."""
        ...

    def ask(self, sql: str) -> Rows: ...

    def asked(self, sql: str) -> Answer:
        """Give the names of the columns too."""
        ...


class DuckDBShop:
    engine: Engine = "duckdb"
    errors: type[Exception] = duckdb.Error

    def __init__(self, folder: Path) -> None:
        self.connection = duckdb.connect(config={"threads": 1})
        fill(self.engine, self.connection.execute, self.connection.executemany, "?")
        self.connection.execute(f"SET allowed_directories = ['{folder}']")
        self.connection.execute("SET enable_external_access = false")
        self.connection.execute("SET lock_configuration = true")

    def run(self, sql: str) -> object:
        return self.connection.execute(sql)

    def ask(self, sql: str) -> Rows:
        return self.asked(sql)[1]

    def asked(self, sql: str) -> Answer:
        cursor = self.connection.execute(sql)
        return _answer(cursor.description, cursor.fetchall())


class SQLiteShop:
    engine: Engine = "sqlite"
    errors: type[Exception] = sqlite3.Error

    def __init__(self, folder: Path) -> None:
        self.connection = sqlite3.connect(folder / "shop.db", isolation_level=None)
        self.connection.execute("BEGIN")
        fill(self.engine, self.connection.execute, self.connection.executemany, "?")
        self.connection.execute("COMMIT")

    def run(self, sql: str) -> object:
        return self.connection.execute(sql)

    def ask(self, sql: str) -> Rows:
        return self.asked(sql)[1]

    def asked(self, sql: str) -> Answer:
        cursor = self.connection.execute(sql)
        return _answer(cursor.description, cursor.fetchall())


class PostgreSQLShop:
    engine: Engine = "postgres"
    errors: type[Exception] = psycopg.Error

    def __init__(self, url: str) -> None:
        self.url = url
        self.connection = psycopg.connect(url, autocommit=True)
        cursor = self.connection.cursor()
        fill(self.engine, self.run, cursor.executemany, "%s")

    def run(self, sql: str) -> object:
        return self.connection.execute(sql.encode())

    def ask(self, sql: str) -> Rows:
        return self.asked(sql)[1]

    def asked(self, sql: str) -> Answer:
        cursor = self.connection.execute(sql.encode())
        return _answer(cursor.description, cursor.fetchall())


class MariaDBShop:
    engine: Engine = "mysql"
    errors: type[Exception] = pymysql.MySQLError

    def __init__(self, url: str) -> None:
        self.url = url
        parts = urlsplit(url)
        self.connection = pymysql.connect(
            host=parts.hostname or "",
            port=parts.port or 0,
            user=parts.username or "",
            database=parts.path.lstrip("/"),
            autocommit=True,
            charset="utf8mb4",
        )
        cursor = self.connection.cursor()
        fill(self.engine, cursor.execute, cursor.executemany, "%s")

    def run(self, sql: str) -> object:
        with self.connection.cursor() as cursor:
            return cursor.execute(sql)

    def ask(self, sql: str) -> Rows:
        return self.asked(sql)[1]

    def asked(self, sql: str) -> Answer:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return _answer(cursor.description, cursor.fetchall())


def _answer(description: Any, rows: Any) -> Answer:
    return [column[0] for column in description], list(rows)


def fill(engine: Engine, execute: Any, executemany: Any, mark: str) -> None:
    for statement in create_statements(engine):
        execute(statement)
    for table, values in rows(engine):
        marks = ", ".join([mark] * len(values[0]))
        executemany(f"INSERT INTO {table} VALUES ({marks})", values)


@contextmanager
def open_shop(engine: Engine, folder: Path, service: Any) -> Generator[Shop]:
    """Open an engine with the shop in it; a server's database is made for it and dropped after."""
    if engine in {"duckdb", "sqlite"}:
        local = DuckDBShop(folder) if engine == "duckdb" else SQLiteShop(folder)
        try:
            yield local
        finally:
            local.connection.close()
        return
    name = unique_name("shop")
    service.create(name)
    shop = (
        PostgreSQLShop(service.url(name))
        if engine == "postgres"
        else MariaDBShop(service.url(name))
    )
    try:
        yield shop
    finally:
        shop.connection.close()
        service.drop(name)
