"""Accepted credentials in Redis.

Where processes share their limits, a caller known to one of them is known to all.
"""

import logging

from redis.asyncio import Redis
from redis.exceptions import RedisError

from dataagent_server.api.middleware.rate_limit.known_callers import LocalKnownCallers
from dataagent_server.settings.limits import KNOWN_CALLER_S

logger = logging.getLogger(__name__)


class RedisKnownCallers:
    """Known to every process that uses the same Redis.

    While Redis is away nobody is known: its limits are off then as well.
    """

    def __init__(self, redis: Redis, prefix: str) -> None:
        self._redis = redis
        self._prefix = prefix
        # Redis is written and read periodically, not with every request.
        self._told = LocalKnownCallers()

    async def remember(self, credential: str) -> None:
        if await self._told.knows(credential):
            return
        try:
            # Stored twice as long as we rely on it, so that it does not expire in between.
            await self._redis.set(self._key(credential), 1, ex=2 * int(KNOWN_CALLER_S))
            await self._told.remember(credential)
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("a caller is not remembered while Redis is away: %s", error)

    async def forget(self, credential: str) -> None:
        await self._told.forget(credential)
        try:
            await self._redis.delete(self._key(credential))
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("a caller is not forgotten while Redis is away: %s", error)

    async def knows(self, credential: str) -> bool:
        if await self._told.knows(credential):
            return True
        try:
            return bool(await self._redis.exists(self._key(credential)))
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("no caller is known while Redis is away: %s", error)
            return False

    def _key(self, credential: str) -> str:
        return f"{self._prefix}:{credential}"
