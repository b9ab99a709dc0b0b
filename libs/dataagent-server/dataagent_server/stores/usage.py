"""Core's usage store over the server's database.

Every model call counts here, so writes that wait while a transaction runs share the next one
(`batched_writes.py`). A SQLite file has one writer, whose thread keeps the order.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import select

from dataagent_core.session.stores.sql import SqlUsageStore
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.usage import UsageStore
from dataagent_server.db.database import Database
from dataagent_server.db.sqlite_file import SqliteFile
from dataagent_server.db.store_connection import StoreDatabase, sql_connection
from dataagent_server.db.tables.usage import usage
from dataagent_server.stores.batched_writes import BatchedWrites

T = TypeVar("T")


def open_usage_store(together: BatchedWrites, tenant_id: str) -> UsageStore:
    """Open the usage store of one tenant over the database that `together` writes to."""
    database = together.database
    if isinstance(database, SqliteFile):
        return SqlUsageStore(database.core, tenant_id)
    return SqlUsageStore(_BatchedDatabase(together), tenant_id)


async def tenants_with_use(database: Database, before: str) -> list[str]:
    """List the tenants with usage to be rolled up."""
    query = select(usage.c.tenant_id).where(usage.c.day < before).distinct()
    return await database.read(lambda c: list(c.execute(query).scalars()))


class _BatchedDatabase(StoreDatabase):
    """A database whose small writes share transactions."""

    def __init__(self, together: BatchedWrites) -> None:
        super().__init__(together.database)
        self._together = together

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        return await self._together.write(lambda c: work(sql_connection(c)))
