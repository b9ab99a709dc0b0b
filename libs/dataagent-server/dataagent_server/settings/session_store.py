"""What `DATAAGENT_SESSION_STORE` may be beside other settings. Pure.

`sqlite`, `mysql` and `postgres` name the kind of the server's database; `redis` and `memory` name
another place for the records of sessions (`sessions/records.py`). What cannot be honoured is
refused at the start: a setting that is passed over would look as if it worked.
"""

from typing import Final

from dataagent_core.errors import ConfigurationError

_KINDS: Final = {
    "sqlite": "sqlite",
    "mysql": "mysql",
    "mariadb": "mysql",
    "postgresql": "postgres",
    "postgres": "postgres",
}


def check_session_store(
    store: str, *, database_url: str | None, redis_url: str | None, workers: int
) -> None:
    """Refuse a choice that the rest of the settings contradicts."""
    if store == "redis" and redis_url is None:
        raise ConfigurationError(
            "DATAAGENT_SESSION_STORE=redis needs to know which: set DATAAGENT_REDIS_URL="
            "redis://host:6379."
        )
    if store == "memory" and workers > 1:
        raise ConfigurationError(
            "DATAAGENT_SESSION_STORE=memory keeps sessions in one process, but there are "
            f"{workers} workers, each with a memory of its own: set DATAAGENT_WORKERS=1, or choose "
            "redis."
        )
    if store == "postgres" and database_url is None:
        raise ConfigurationError(
            "DATAAGENT_SESSION_STORE=postgres needs to know which: set DATAAGENT_DATABASE_URL="
            "postgresql://user:password@host/database."
        )
    kind = _KINDS.get((database_url or "").partition("://")[0].partition("+")[0])
    if store in _KINDS.values() and kind not in (None, store):
        raise ConfigurationError(
            f"DATAAGENT_SESSION_STORE is {store!r}, but DATAAGENT_DATABASE_URL names a database "
            f"of the kind {kind!r}. Leave one of them out."
        )
