"""Records changes of memory in the audit log, in the first transaction of the change.

The stores of memory are made once for a tenant and keep what searches need ready, so a change is
not written by a store of its own: what is to be recorded waits beside it for the transaction.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy import Connection

from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase, sql_connection

T = TypeVar("T")


@dataclass(slots=True)
class _Waiting:
    record: Callable[[Connection], object]
    is_written: bool = False


_waiting: Final[ContextVar[_Waiting | None]] = ContextVar("_waiting", default=None)


class _AuditedDatabase(StoreDatabase):
    """The server's database, which records a change that waits to be recorded."""

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        waiting = _waiting.get()
        if waiting is None or waiting.is_written:
            return await super().write(work)

        def whole(connection: Connection) -> T:
            result = work(sql_connection(connection))
            waiting.record(connection)
            return result

        result = await self._database.write(whole)
        waiting.is_written = True
        return result


class AuditedMemoryDatabase(ServerMemoryDatabase):
    """The database as the stores of memory use it, with the audit log."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._database = _AuditedDatabase(database)


@asynccontextmanager
async def audited(
    database: Database, record: Callable[[Connection], object]
) -> AsyncGenerator[None]:
    """Record a change that is made inside; one that fails before it writes is not recorded.

    What is kept outside this database, as a graph in Neo4j, is recorded when it has changed.
    """
    waiting = _Waiting(record)
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
    if not waiting.is_written:
        await database.write(record)
