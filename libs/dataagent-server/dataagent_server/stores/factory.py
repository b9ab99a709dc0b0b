"""Which session store `DATAAGENT_SESSION_STORE` means (S0 property 43)."""

from typing import Literal, get_args

from redis.asyncio import Redis

from dataagent_core.errors import ConfigurationError
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.memory import MemorySessionStore
from dataagent_server.db.database import Database, Dialect
from dataagent_server.stores.redis_sessions import RedisSessionStore
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
