"""The time limit of one query, shared by all its steps."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from dataagent_core.errors import QueryFailedError

# Long enough for an engine to report the timeout.
_LEFT_S_MIN = 0.1


class TimeLeft:
    """Counts down from its creation."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self._began_s = time.monotonic()

    def s(self) -> float:
        """Return the seconds left, or a short time if none are left."""
        left_s = self.timeout_s - (time.monotonic() - self._began_s)
        return max(left_s, min(self.timeout_s, _LEFT_S_MIN))


def make_late_error(name: str, timeout_s: float) -> QueryFailedError:
    """Make the error of a query that took too long."""
    return QueryFailedError(
        f"{name} did not answer within {timeout_s:.3g} s and was stopped. Ask for "
        "less (a filter, fewer columns, an aggregate), or give it more time."
    )


@asynccontextmanager
async def limit_time(name: str, timeout_s: float) -> AsyncGenerator[None]:
    """Raise `make_late_error` if the body takes longer."""
    try:
        async with asyncio.timeout(timeout_s):
            yield
    except TimeoutError:
        raise make_late_error(name, timeout_s) from None
