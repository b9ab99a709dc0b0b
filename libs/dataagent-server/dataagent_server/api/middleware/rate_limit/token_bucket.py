"""Token buckets: a caller may burst, then continues at a steady rate. In this process, bounded.

The least recently seen callers are dropped first; a dropped bucket starts full again.
`redis_bucket.py` shares the buckets between processes.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from dataagent_server.settings.limits import RATE_CALLERS_KEPT_MAX


class RateLimiter(Protocol):
    """Returns the seconds to wait; 0 means none."""

    async def take(self, key: str) -> float:
        """Take a token if there is one."""
        ...

    async def wait_s(self, key: str) -> float:
        """Return how long it takes until there is a token, without taking one."""
        ...


class TokenBuckets:
    """One bucket per caller: holds `burst` tokens, filled at `per_s`."""

    def __init__(
        self,
        *,
        per_s: float,
        burst: int,
        kept_max: int = RATE_CALLERS_KEPT_MAX,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._kept_max = kept_max
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def kept(self) -> int:
        """How many callers are stored."""
        return len(self._buckets)

    async def take(self, key: str) -> float:
        tokens = self._count_tokens(key)
        taken = tokens >= 1
        self._buckets[key] = (tokens - 1 if taken else tokens, self._clock())
        self._buckets.move_to_end(key)
        while len(self._buckets) > self._kept_max:
            self._buckets.popitem(last=False)
        return 0.0 if taken else self._seconds_until_one(tokens)

    async def wait_s(self, key: str) -> float:
        return self._seconds_until_one(self._count_tokens(key))

    def _count_tokens(self, key: str) -> float:
        now = self._clock()
        tokens, seen = self._buckets.get(key, (float(self._burst), now))
        return min(float(self._burst), tokens + max(0.0, now - seen) * self._per_s)

    def _seconds_until_one(self, tokens: float) -> float:
        return max(0.0, (1 - tokens) / self._per_s)
