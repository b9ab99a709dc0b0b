"""PostgreSQL and MySQL or MariaDB: an async pool, with retries.

Both run at READ COMMITTED: a row lock then shows the newest committed row, and MySQL takes no gap
locks. Only `work` is repeated, never a commit: when the connection breaks during a commit, it is
unknown whether it succeeded, and the caller gets a `StorageError`.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, QueuePool
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from dataagent_core.session.stores.sql.dialect import DialectName
from dataagent_server.db.failures import explain_error, is_contention, is_lost_connection
from dataagent_server.db.mysql_driver import enable_bytes, split_tls
from dataagent_server.db.pool import SILENT_TRANSACTION_S, PoolSizes

T = TypeVar("T")
_TRIES = 12
_PAUSE_S = 0.005
_CONNECT_S = 10
_MYSQL_SESSION = (
    "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = 20, sql_mode = "
    "'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ENGINE_SUBSTITUTION'"
    # MySQL reads this as a comment: it has no such limit.
    f" /*M! , idle_transaction_timeout = {SILENT_TRANSACTION_S} */"
)
_POSTGRES_SESSION = (
    f"-c timezone=UTC -c idle_in_transaction_session_timeout={SILENT_TRANSACTION_S}s"
)


class EngineDatabase:
    """A database server and this process's connections to it."""

    def __init__(self, url: URL, pool: PoolSizes) -> None:
        self.url = url
        self.dialect: DialectName = "mysql" if url.get_backend_name() == "mysql" else "postgresql"
        arguments = dict(_CONNECT_ARGUMENTS[self.dialect])
        if self.dialect == "mysql":
            url, arguments["ssl"] = split_tls(url)
            arguments["async_creator_fn"] = _connect_mysql
        self._engine = create_async_engine(
            url,
            isolation_level="READ COMMITTED",
            pool_size=pool.size,
            max_overflow=pool.overflow,
            pool_timeout=pool.wait_s,
            pool_recycle=pool.recycle_s,
            connect_args=arguments,
        )
        if self.dialect == "mysql":
            enable_bytes(self._engine.sync_engine)
        else:
            # Many rows become one statement; psycopg would send one for each.
            self._engine.dialect.use_insertmanyvalues_wo_returning = True
        # psycopg opens no transaction in this mode, which saves a read two round trips. MySQL
        # opens one without asking the server, so there the mode would cost what it saves here.
        self._reading = (
            self._engine.execution_options(isolation_level="AUTOCOMMIT")
            if self.dialect == "postgresql"
            else self._engine
        )

    async def read(self, work: Callable[[Connection], T]) -> T:
        async def attempt() -> T:
            async with self._reading.connect() as connection:
                return await connection.run_sync(work)

        return await self._retry(attempt)

    async def write(self, work: Callable[[Connection], T]) -> T:
        async def attempt() -> T:
            async with self._engine.connect() as connection:
                result = await connection.run_sync(work)
                try:
                    await connection.commit()
                except Exception as error:
                    if is_lost_connection(error):
                        raise explain_error(error, self.url) from error
                    raise
                return result

        return await self._retry(attempt)

    def connections_in_use(self) -> int:
        """Count the connections in use, for metrics and tests."""
        pool = self._engine.pool
        return pool.checkedout() if isinstance(pool, QueuePool) else 0

    async def aclose(self) -> None:
        await self._engine.dispose()

    async def _retry(self, attempt: Callable[[], Any]) -> Any:
        for attempted in range(_TRIES):
            try:
                return await attempt()
            except (SQLAlchemyError, OSError, EOFError, UnicodeEncodeError) as error:
                again = is_lost_connection(error) or (
                    isinstance(error, DBAPIError) and is_contention(error)
                )
                if not again or attempted == _TRIES - 1:
                    raise explain_error(error, self.url) from error
                # Other losers of a deadlock retry too: a random pause spreads them.
                await asyncio.sleep(random.uniform(0, _PAUSE_S * 2**attempted))  # noqa: S311 (no secret)
        raise AssertionError("unreachable")


async def _connect_mysql(*args: Any, **named: Any) -> Any:
    """Connect within the time limit.

    The driver's own does not count the server's greeting, and on Python 3.11 its `wait_for` loses a
    cancellation that comes just when the connection is made (CPython gh-86296).
    """
    import aiomysql

    try:
        async with asyncio.timeout(_CONNECT_S):
            return await aiomysql.connect(*args, **named)
    except TimeoutError as error:
        raise TimeoutError(f"the server said nothing for {_CONNECT_S} seconds") from error


_CONNECT_ARGUMENTS: dict[DialectName, dict[str, Any]] = {
    "mysql": {"connect_timeout": None, "init_command": _MYSQL_SESSION},
    "postgresql": {"connect_timeout": _CONNECT_S, "options": _POSTGRES_SESSION},
    "sqlite": {},
}
