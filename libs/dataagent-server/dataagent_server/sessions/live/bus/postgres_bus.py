"""The bus over PostgreSQL's LISTEN and NOTIFY, on a connection of its own."""

import psycopg
from sqlalchemy import URL

from dataagent_server.sessions.live.bus.queue_bus import QueueBus

_CHANNEL = "dataagent_notices"


class PostgresBus(QueueBus):
    """One connection to notify, one to listen."""

    name = "PostgreSQL"

    def __init__(self, url: URL) -> None:
        super().__init__()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listening: psycopg.AsyncConnection | None = None
        self._telling: psycopg.AsyncConnection | None = None

    async def _open(self) -> None:
        self._listening = await psycopg.AsyncConnection.connect(self._address, autocommit=True)
        self._telling = await psycopg.AsyncConnection.connect(self._address, autocommit=True)
        await self._listening.execute(f"LISTEN {_CHANNEL}")

    async def _close(self) -> None:
        for connection in (self._listening, self._telling):
            if connection is not None:
                await connection.close()
        self._listening = self._telling = None

    async def _send(self, messages: list[bytes]) -> None:
        assert self._telling is not None
        for message in messages:
            await self._telling.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, message.decode()))

    async def _receive(self) -> None:
        assert self._listening is not None
        async for notification in self._listening.notifies():
            self._heard(notification.payload)
        raise ConnectionError("the listening connection ended")
