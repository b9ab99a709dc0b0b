"""When a server that failed may be tried again: values only, the clock is the caller's.

A failed connect waits; the first lost connection does not, the next call simply opens a new one.
Losses in a row, with no answer in between, wait as failed connects do.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.mcp.connections.connection_limits import ConnectionLimits


@dataclass(frozen=True, slots=True)
class ServerBreaker:
    """How often it failed in a row, why, and when the next try is due."""

    failures: int = 0
    reason: str = ""
    # 0 when it may be tried at any time.
    retry_at_s: float = 0.0

    def wait_s(self, now_s: float) -> float:
        """Seconds until a try is allowed; 0 when it is."""
        return max(0.0, self.retry_at_s - now_s)

    def sentence(self, now_s: float) -> str:
        times = "once" if self.failures == 1 else f"{self.failures} times"
        return f"was tried {times}, next try in {self.wait_s(now_s):.0f} s: {self.reason}"


CLOSED = ServerBreaker()


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait after so many failures."""

    limits: ConnectionLimits
    now_s: Callable[[], float]
    # Between 0 and 1: many processes that lost the same server do not come back as one.
    random: Callable[[], float]

    def after_failure(self, breaker: ServerBreaker, reason: str) -> ServerBreaker:
        return self._opened(breaker, reason, breaker.failures + 1)

    def after_loss(self, breaker: ServerBreaker, reason: str) -> ServerBreaker:
        return self._opened(breaker, reason, breaker.failures)

    def _opened(self, breaker: ServerBreaker, reason: str, doublings: int) -> ServerBreaker:
        failures = breaker.failures + 1
        if doublings == 0:
            return ServerBreaker(failures, reason)
        return ServerBreaker(failures, reason, self.now_s() + self._delay_s(doublings))

    def _delay_s(self, failures: int) -> float:
        # The exponent is bounded first: 2**5000 is a number no float holds.
        longest = self.limits.retry_base_s * 2 ** min(failures - 1, 30)
        return min(longest, self.limits.retry_delay_s_max) * (0.5 + self.random() / 2)
