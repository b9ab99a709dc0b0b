"""Chooses the bus of a server: Redis if configured, else PostgreSQL's own, else none."""

from dataagent_server.db.database import Database
from dataagent_server.sessions.live.bus.port import Bus, Hear
from dataagent_server.sessions.live.bus.postgres_bus import PostgresBus
from dataagent_server.sessions.live.notice import Notice


class NoBus:
    """Does nothing: other processes read the database (`poll.py`)."""

    connected = False

    def tell(self, notice: Notice) -> None:
        del notice

    async def start(self, hear: Hear) -> None:
        del hear

    async def aclose(self) -> None:
        pass


def choose_bus(database: Database, redis_url: str | None) -> Bus:
    """Choose by the settings and the database."""
    if redis_url is not None:
        from dataagent_server.sessions.live.bus.redis_bus import RedisBus

        return RedisBus(redis_url)
    if database.dialect == "postgresql":
        return PostgresBus(database.url)
    return NoBus()
