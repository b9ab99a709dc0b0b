"""Which session store `DATAAGENT_SESSION_STORE` means (S0 property 43).

On a server the three databases' is the server's own, whose rows everything else joins on; the
other two are `sessions/remembered.py`'s.
"""

from collections.abc import Callable
from functools import cache
from typing import Literal, get_args

from redis.asyncio import Redis

from dataagent_core.errors import ConfigurationError
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.memory import MemorySessionStore
from dataagent_core.session.stores.redis import RedisSessionStore
from dataagent_server.db.database import Database, Dialect
from dataagent_server.stores.sessions import SqlSessionStore

StoreKind = Literal["memory", "sqlite", "mysql", "postgres", "redis"]
_DIALECTS: dict[str, Dialect] = {
    "sqlite": "sqlite",
    "mysql": "mysql",
    "postgres": "postgresql",
}


class SessionStoreFactory:
    """Makes session stores, one per tenant, of one kind."""

    @staticmethod
    def create(
        kind: str,
        tenant_id: str,
        *,
        database: Database | None = None,
        redis: Redis | None = None,
    ) -> SessionStore:
        """Make the store a setting names, or say what it lacks."""
        if kind == "memory":
            return MemorySessionStore()
        if kind == "redis":
            if redis is None:
                raise ConfigurationError("session_store is 'redis': set DATAAGENT_REDIS_URL.")
            return RedisSessionStore(redis, tenant_id)
        if kind not in _DIALECTS:
            raise ConfigurationError(
                f"session_store is {kind!r}; choose one of {', '.join(get_args(StoreKind))}."
            )
        if database is None or database.dialect != _DIALECTS[kind]:
            there = "none is open" if database is None else f"the database is {database.url}"
            raise ConfigurationError(
                f"session_store is {kind!r}, but {there}: set DATAAGENT_DATABASE_URL to match."
            )
        return SqlSessionStore(database, tenant_id)


def stores_beside(kind: str, redis: Redis | None) -> Callable[[str], SessionStore] | None:
    """Give the tenants' stores that stand beside the database; None when there are none."""
    if kind in _DIALECTS:
        return None

    # Made once: a memory that is made anew has forgotten everything.
    @cache
    def store_of(tenant_id: str) -> SessionStore:
        return SessionStoreFactory.create(kind, tenant_id, redis=redis)

    return store_of
