"""Which bus a server uses: Redis when given, else PostgreSQL's own, else none."""

from dataagent_server.db.database import Database
from dataagent_server.sessions.live.bus.no_bus import NoBus
from dataagent_server.sessions.live.bus.port import Bus
from dataagent_server.sessions.live.bus.postgres import PostgresBus


def choose_bus(database: Database, redis_url: str | None) -> Bus:
    """Choose by what there is; without a bus, processes look into the database."""
    if redis_url is not None:
        from dataagent_server.sessions.live.bus.redis import RedisBus

        return RedisBus(redis_url)
    if database.dialect == "postgresql":
        return PostgresBus(database.url)
    return NoBus()
