"""Credentials that were accepted a while ago, by their hashes: their owners are no guessers.

Bounded and short-lived. Where several processes share their limits through Redis, they share this
too, so that a caller known to one of them is known to all.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from dataagent_server.limits import KNOWN_CALLER_S, RATE_CALLERS_KEPT_MAX

logger = logging.getLogger(__name__)


class KnownCallers(Protocol):
    """Remembers whom signing in accepted."""

    async def remember(self, credential: str) -> None:
        """Take note that a credential was accepted."""
        ...

    async def forget(self, credential: str) -> None:
        """Take note that a credential was refused."""
        ...

    async def knows(self, credential: str) -> bool:
        """Say whether a credential was accepted lately."""
        ...


class KnownHere:
    """Known to this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: OrderedDict[str, float] = OrderedDict()

    async def remember(self, credential: str) -> None:
        self._until[credential] = self._clock() + KNOWN_CALLER_S
        self._until.move_to_end(credential)
        while len(self._until) > RATE_CALLERS_KEPT_MAX:
            self._until.popitem(last=False)

    async def forget(self, credential: str) -> None:
        self._until.pop(credential, None)

    async def knows(self, credential: str) -> bool:
        return self._until.get(credential, 0.0) > self._clock()


class KnownInRedis:
    """Known to every process that uses the same Redis.

    While Redis is away nobody is known: the limits it keeps are off then as well.
    """

    def __init__(self, redis: Redis, prefix: str) -> None:
        self._redis = redis
        self._prefix = prefix
        # Redis is told and asked once in a while, not with every request.
        self._told = KnownHere()

    async def remember(self, credential: str) -> None:
        if await self._told.knows(credential):
            return
        try:
            # Kept twice as long as we take it for told, so that it does not lapse in between.
            await self._redis.set(self._name(credential), 1, ex=2 * int(KNOWN_CALLER_S))
            await self._told.remember(credential)
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("a caller is not remembered while Redis is away: %s", error)

    async def forget(self, credential: str) -> None:
        await self._told.forget(credential)
        try:
            await self._redis.delete(self._name(credential))
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("a caller is not forgotten while Redis is away: %s", error)

    async def knows(self, credential: str) -> bool:
        if await self._told.knows(credential):
            return True
        try:
            return bool(await self._redis.exists(self._name(credential)))
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("no caller is known while Redis is away: %s", error)
            return False

    def _name(self, credential: str) -> str:
        return f"{self._prefix}:{credential}"
