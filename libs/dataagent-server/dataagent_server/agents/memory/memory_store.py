"""The memories of a tenant: core's statements on this server's database.

Whose they are is decided by the caller, who names the user or a scope in each call.
"""

from collections.abc import Callable
from typing import TypeVar

from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.memory.sql.vector_cache import VectorCache
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase

T = TypeVar("T")


class ServerMemoryDatabase:
    """The database as the stores of memory and of its graph use it: one for all tenants.

    It has the vectors that were searched last, so it is made once and not for each call.
    """

    def __init__(self, database: Database) -> None:
        self._database = StoreDatabase(database)
        self._vectors = VectorCache()

    @property
    def vectors(self) -> VectorCache:
        """The vectors that are kept ready for searches."""
        return self._vectors

    async def read(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which writes nothing."""
        return await self._database.read(work)

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work` in one transaction that is kept only if it returns; it may run again."""
        return await self._database.write(work)

    async def erase(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which removes rows: what a database keeps of them is its operator's."""
        result = await self._database.write(work)
        self._vectors.clear()
        return result


def open_memory_store(database: ServerMemoryDatabase, tenant_id: TenantId) -> SqlMemoryStore:
    """Open the memories of a tenant."""
    return SqlMemoryStore(database, tenant_id)
