"""A breaker for each endpoint: one that keeps failing is left alone for a while.

Shared by the runs of a process, so that a thousand of them do not each find out for themselves.
After `BREAKER_FAILURES` failures in a row the breaker is open; after `BREAKER_OPEN_S` one call may
try, and its success closes it. Only failures of the endpoint count: a refused key or a rate limit
is one customer's own.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.config.limits import BREAKER_FAILURES, BREAKER_OPEN_S, BREAKERS_KEPT_MAX


@dataclass(slots=True)
class Breaker:
    """The state of one endpoint; the time is always the caller's."""

    failures: int = 0
    open_until_s: float = 0.0

    def wait_s(self, now_s: float) -> float:
        """Say how long the endpoint is still left alone; 0 lets the caller through."""
        if self.failures < BREAKER_FAILURES:
            return 0.0
        if now_s < self.open_until_s:
            return self.open_until_s - now_s
        # This caller tries for all; the others wait for what comes of it.
        self.open_until_s = now_s + BREAKER_OPEN_S
        return 0.0

    def succeeded(self) -> None:
        """Close it."""
        self.failures = 0

    def failed(self, now_s: float) -> None:
        """Count a failure; enough of them open it."""
        self.failures += 1
        if self.failures >= BREAKER_FAILURES:
            self.open_until_s = now_s + BREAKER_OPEN_S


class Breakers:
    """The breakers of a process by endpoint."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._known: OrderedDict[str, Breaker] = OrderedDict()

    def of(self, endpoint: str) -> Breaker:
        """Give the breaker of an endpoint."""
        breaker = self._known.setdefault(endpoint, Breaker())
        self._known.move_to_end(endpoint)
        if len(self._known) > BREAKERS_KEPT_MAX:
            self._known.popitem(last=False)
        return breaker
