"""Hashes of recently accepted credentials: their owners are not guessing.

Bounded and short-lived. `redis_known_callers.py` is for processes that share their limits.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from dataagent_server.settings.limits import KNOWN_CALLER_S, RATE_CALLERS_KEPT_MAX


class KnownCallers(Protocol):
    """Remembers accepted credentials."""

    async def remember(self, credential: str) -> None:
        """Note that a credential was accepted."""
        ...

    async def forget(self, credential: str) -> None:
        """Note that a credential was refused."""
        ...

    async def knows(self, credential: str) -> bool:
        """Return whether a credential was accepted recently."""
        ...


class LocalKnownCallers:
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
