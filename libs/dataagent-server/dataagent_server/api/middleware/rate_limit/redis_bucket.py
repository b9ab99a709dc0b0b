"""The same token buckets in Redis, so that several processes share one rate.

While Redis is away requests pass: a limiter must not take the service down.
"""

import logging

from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# One atomic round trip; the time is Redis's own, so that clocks of hosts do not matter.
_SCRIPT = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local per_s, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local old = redis.call('HMGET', KEYS[1], 'tokens', 'seen')
local tokens = tonumber(old[1]) or burst
local seen = tonumber(old[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - seen) * per_s)
local wait = 0
if tokens < 1 then wait = (1 - tokens) / per_s else tokens = tokens - cost end
if cost > 0 then
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'seen', tostring(now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(burst / per_s * 1000) + 1000)
end
return tostring(wait)
"""


class RedisBuckets:
    """Buckets under one prefix of a Redis."""

    def __init__(self, redis: Redis, prefix: str, *, per_s: float, burst: int) -> None:
        self._script = redis.register_script(_SCRIPT)
        self._prefix = prefix
        self._per_s = per_s
        self._burst = burst

    async def take(self, key: str) -> float:
        return await self._run_script(key, 1)

    async def wait_s(self, key: str) -> float:
        return await self._run_script(key, 0)

    async def _run_script(self, key: str, cost: int) -> float:
        try:
            arguments = [self._per_s, self._burst, cost]
            return float(await self._script(keys=[f"{self._prefix}:{key}"], args=arguments))
        except (RedisError, OSError, TimeoutError) as error:
            logger.warning("rate limits are off while Redis is away: %s", error)
            return 0.0
