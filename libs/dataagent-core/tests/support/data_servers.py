"""A database of a test's own on a real PostgreSQL or MariaDB, with an owner and a reader."""

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import psycopg
import pyarrow.parquet as pq
import pymysql

from dataagent_core.tools.data.data_model import EngineResult, QueryLimits
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from tests.services.names import unique_name

if TYPE_CHECKING:
    from tests.services.mariadb import MariaDB
    from tests.services.postgresql import PostgreSQL

Kind = Literal["postgres", "mysql"]
PASSWORD = "s3cret-of-the-reader"
_numbers = itertools.count(1)


class Server:
    """One database; `admin` may do everything, the login `user` only read."""

    def __init__(self, kind: Kind, service: "PostgreSQL | MariaDB") -> None:
        self.kind: Kind = kind
        self.port = service.port
        self.database = unique_name("data")
        self.user = unique_name("reader")
        self.service = service
        service.create(self.database)
        if kind == "postgres":
            self.admin(
                "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
                f"CREATE ROLE {self.user} LOGIN PASSWORD '{PASSWORD}'",
                f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO {self.user}",
            )
        else:
            self.admin(
                f"CREATE USER {self.user}@'%' IDENTIFIED BY '{PASSWORD}'",
                f"GRANT SELECT, SHOW VIEW ON `{self.database}`.* TO {self.user}@'%'",
            )

    def admin(self, *statements: str) -> list[tuple[Any, ...]]:
        if self.kind == "postgres":
            address = f"host=127.0.0.1 port={self.port} user=postgres dbname={self.database}"
            with psycopg.connect(address, autocommit=True) as connection:
                rows: list[tuple[Any, ...]] = []
                for statement in statements:
                    cursor = connection.execute(statement.encode())
                    rows = cursor.fetchall() if cursor.description else []
                return rows
        with (
            pymysql.connect(
                host="127.0.0.1",
                port=self.port,
                user="root",
                database=self.database,
                autocommit=True,
            ) as connection,
            connection.cursor() as cursor,
        ):
            rows = []
            for statement in statements:
                cursor.execute(statement)
                rows = list(cursor.fetchall())
            return rows

    def url(self, user: str | None = None, password: str = PASSWORD) -> str:
        scheme = "postgresql" if self.kind == "postgres" else "mysql"
        login = f"{user or self.user}:{password}"
        return f"{scheme}://{login}@127.0.0.1:{self.port}/{self.database}"

    @property
    def admin_url(self) -> str:
        return self.url("postgres" if self.kind == "postgres" else "root", "")

    def spec(self, url: str | None = None, write_url: str | None = None) -> SourceSpec:
        return SourceSpec(
            name="shop", kind=self.kind, location=url or self.url(), write_url=write_url
        )

    def engine(self, url: str | None = None) -> ServerEngine:
        return ServerEngine(self.spec(url))

    def running(self) -> list[tuple[Any, ...]]:
        """List what the server still does for anybody but us, locks included."""
        if self.kind == "postgres":
            return self.admin(
                "SELECT pid, state, query FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                f"AND datname = '{self.database}' AND backend_type = 'client backend'"
            )
        return self.admin(
            "SELECT id, state, info FROM information_schema.processlist "
            f"WHERE id <> CONNECTION_ID() AND (user = '{self.user}' OR db = '{self.database}')"
        )

    def drop(self) -> None:
        if self.kind == "postgres":
            self.admin(f"DROP OWNED BY {self.user}")
        self.service.drop(self.database)
        user = self.user if self.kind == "postgres" else f"{self.user}@'%'"
        self.service.execute(f"DROP USER {user}")


async def asked(
    engine: ServerEngine, sql: str, folder: Path, limits: QueryLimits | None = None
) -> tuple[EngineResult, list[dict[str, Any]]]:
    """Run a query and read its rows back."""
    into = folder / f"{next(_numbers)}.parquet"
    ran = await engine.query(sql, into, limits or QueryLimits())
    return ran, pq.read_table(into).to_pylist()


def until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Ask until it is so, or fail."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.02)
