"""S0's two MySQL stores: the server's own stores, each with its own connection pool.

The server opens one database for all its stores; these are for code that needs one store alone.
Close them with `aclose()`.
"""

from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.db.database import Database
from dataagent_server.db.engine_database import EngineDatabase
from dataagent_server.db.migrate import migrate_open
from dataagent_server.db.pool import PoolSizes
from dataagent_server.db.urls import database_url
from dataagent_server.settings.database_url import mysql_url
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.sessions import ServerSessionStore


class _DatabaseOwner:
    """A store that opened its own database."""

    _own_database: Database

    async def init_tables(self) -> None:
        """Bring the schema up to date, as `dataagent-server migrate` does."""
        await migrate_open(self._own_database)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._own_database.aclose()


class MySQLSessionStore(_DatabaseOwner, ServerSessionStore):
    """The sessions of one tenant, in MySQL or MariaDB."""

    def __init__(  # noqa: PLR0917 (S0's order)
        self,
        host: str,
        port: int,
        user: str,
        password: str,
        database: str,
        pool_size: int = 10,
        max_overflow: int = 20,
        *,
        tenant_id: str = DEFAULT_TENANT,
    ) -> None:
        url = mysql_url(host, port, user, password, database)
        self._own_database = _open(url, pool_size, max_overflow)
        super().__init__(self._own_database, tenant_id)


class MySQLMessageStore(_DatabaseOwner, ServerMessageStore):
    """The messages of one tenant, in MySQL or MariaDB."""

    def __init__(  # noqa: PLR0917 (S0's order)
        self,
        host: str,
        port: int,
        user: str,
        password: str,
        database: str,
        pool_size: int = 10,
        max_overflow: int = 20,
        *,
        tenant_id: str = DEFAULT_TENANT,
    ) -> None:
        url = mysql_url(host, port, user, password, database)
        self._own_database = _open(url, pool_size, max_overflow)
        super().__init__(self._own_database, tenant_id)


def _open(url: str, pool_size: int, max_overflow: int) -> Database:
    """Open a pool; nothing is connected yet."""
    return EngineDatabase(database_url(url), PoolSizes(size=pool_size, overflow=max_overflow))
