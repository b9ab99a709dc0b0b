"""The session store of `DATAAGENT_SESSION_STORE` (S0 property 43).

`sqlite`, `mysql` and `postgres` are the server's database, where a session is a row that runs, log
and rights join on. For `redis` and `memory` see `sessions/records.py`.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from dataagent_core.errors import ConfigurationError
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.memory import MemorySessionStore
from dataagent_core.session.stores.sql.dialect import DialectName
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.db.database import Database
from dataagent_server.stores.mysql import MySQLSessionStore
from dataagent_server.stores.sessions import ServerSessionStore

if TYPE_CHECKING:
    from redis.asyncio import Redis

StoreKind = Literal["memory", "sqlite", "mysql", "postgres", "redis"]
SessionStoreOf = Callable[[TenantId], SessionStore]
_DIALECTS: dict[str, DialectName] = {
    "sqlite": "sqlite",
    "mysql": "mysql",
    "postgres": "postgresql",
}


class SessionStoreFactory:
    """Creates session stores, each for one tenant."""

    @staticmethod
    def create(
        store_type: str,
        tenant_id: str = DEFAULT_TENANT,
        *,
        database: Database | str | None = None,
        redis: "Redis | None" = None,
        host: str = "localhost",
        port: int = 3306,
        user: str = "root",
        password: str = "",
        pool_size: int = 10,
        max_overflow: int = 20,
    ) -> SessionStore:
        """Create the named store, or raise with what it lacks.

        `database` is an open one. For `mysql` it may be a name, with S0's `host`, `port`, `user`
        and `password`: that store has its own connection pool, closed with `aclose()`.
        """
        if store_type == "memory":
            return MemorySessionStore()
        if store_type == "redis":
            if redis is None:
                raise ConfigurationError("session_store is 'redis': set DATAAGENT_REDIS_URL.")
            from dataagent_core.session.stores.redis import RedisSessionStore

            return RedisSessionStore(redis, tenant_id)
        if store_type not in _DIALECTS:
            raise ConfigurationError(
                f"session_store is {store_type!r}; choose one of {', '.join(get_args(StoreKind))}."
            )
        if database is None or isinstance(database, str):
            if store_type == "mysql":
                named = database or "dataagent"
                pool = (pool_size, max_overflow)
                return MySQLSessionStore(
                    host, port, user, password, named, *pool, tenant_id=tenant_id
                )
            there = "none is open"
        elif database.dialect == _DIALECTS[store_type]:
            return ServerSessionStore(database, tenant_id)
        else:
            there = f"the database is {database.url}"
        raise ConfigurationError(
            f"session_store is {store_type!r}, but {there}: set DATAAGENT_DATABASE_URL to match."
        )


def session_stores(kind: str, database: Database, redis: "Redis | None") -> SessionStoreOf:
    """Return the tenants' session stores by the setting."""
    # The settings have refused a database of another kind; the default names none.
    known = next(name for name, dialect in _DIALECTS.items() if dialect == database.dialect)
    chosen = known if kind in _DIALECTS else kind

    # Created once: a new one would be empty.
    @cache
    def store_of(tenant_id: TenantId) -> SessionStore:
        return SessionStoreFactory.create(chosen, tenant_id, database=database, redis=redis)

    return store_of
