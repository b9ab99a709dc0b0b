"""The limiters of the settings: in this process, or shared through Redis."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dataagent_server.api.middleware.rate_limit.known_callers import KnownCallers, LocalKnownCallers
from dataagent_server.api.middleware.rate_limit.token_bucket import RateLimiter, TokenBuckets

if TYPE_CHECKING:
    from redis.asyncio import Redis

_MINUTE_S: Final = 60
# The burst and the rate of failed attempts per address.
_FAILURES_BURST: Final = 30
_FAILURES_PER_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Limiters:
    """One for callers, one for addresses that fail to authenticate, and the known callers."""

    callers: RateLimiter
    failures: RateLimiter
    known: KnownCallers


def make_limiters(per_minute: int, burst: int, redis: "Redis | None") -> Limiters:
    """Build them."""
    per_s = per_minute / _MINUTE_S
    if redis is None:
        return Limiters(
            TokenBuckets(per_s=per_s, burst=burst),
            TokenBuckets(per_s=_FAILURES_PER_S, burst=_FAILURES_BURST),
            LocalKnownCallers(),
        )
    from dataagent_server.api.middleware.rate_limit.redis_bucket import RedisBuckets
    from dataagent_server.api.middleware.rate_limit.redis_known_callers import RedisKnownCallers

    return Limiters(
        RedisBuckets(redis, "dataagent:rate:caller", per_s=per_s, burst=burst),
        RedisBuckets(redis, "dataagent:rate:failure", per_s=_FAILURES_PER_S, burst=_FAILURES_BURST),
        RedisKnownCallers(redis, "dataagent:rate:known"),
    )
