"""The bus over Redis publish and subscribe."""

from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from dataagent_server.sessions.live.bus.queue_bus import QueueBus

_CHANNEL = "dataagent:notices"


class RedisBus(QueueBus):
    """One connection to publish, one to subscribe."""

    name = "Redis"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis: Redis = Redis.from_url(url)
        # Redis has one set of channels for all its databases; each database is an installation.
        database: int = self._redis.connection_pool.connection_kwargs.get("db", 0)
        self._channel = f"{_CHANNEL}:{database}"
        self._subscription: PubSub | None = None

    async def _open(self) -> None:
        self._subscription = self._redis.pubsub()
        await self._subscription.subscribe(self._channel)

    async def _close(self) -> None:
        if self._subscription is not None:
            await self._subscription.aclose()
            self._subscription = None

    async def _send(self, messages: list[bytes]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        for message in messages:
            pipeline.publish(self._channel, message)
        await pipeline.execute()

    async def _receive(self) -> None:
        assert self._subscription is not None
        async for message in self._subscription.listen():
            if message["type"] == "message":
                self._heard(message["data"])
        raise ConnectionError("the subscription ended")

    async def aclose(self) -> None:
        await super().aclose()
        await self._redis.aclose()
