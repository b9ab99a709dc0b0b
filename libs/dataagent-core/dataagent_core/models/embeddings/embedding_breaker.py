"""Keeps an address for embeddings that fails or hangs from holding up every message.

A request that is late goes on, and whoever asks meanwhile is refused at once. After a failure all
are refused for a while; then one may try again. Said once, as a warning, until it answers in time.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from dataagent_core.config.limits.match import EMBEDDING_LATE_S, MATCH_RETRY_S
from dataagent_core.errors import ModelUnavailableError

logger = logging.getLogger(__name__)

T = TypeVar("T")


class EmbeddingBreaker:
    """The state of one address."""

    def __init__(
        self, late_s: float = EMBEDDING_LATE_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._late_s = late_s
        self._clock = clock
        # Why nobody may ask now, and until when.
        self._problem = ""
        self._retry_at = 0.0
        self._warned = False
        self._requests = set[asyncio.Task[Any]]()

    async def run(self, request: Callable[[], Awaitable[T]], address: str) -> T:
        """Make a request; raises `ModelUnavailableError` while the address is unavailable."""
        if self._problem and self._clock() < self._retry_at:
            raise ModelUnavailableError(self._problem)
        # The others wait for what this one finds out.
        self._retry_at = self._clock() + MATCH_RETRY_S
        task = asyncio.create_task(self._watch(request, address))
        self._requests.add(task)
        task.add_done_callback(self._end)
        # Who has no time to wait leaves it going on: its answer says that others may ask.
        return await asyncio.shield(task)

    async def _watch(self, request: Callable[[], Awaitable[T]], address: str) -> T:
        problem = f"The embeddings at {address} have not answered for {self._late_s:g} s."
        late = asyncio.get_running_loop().call_later(self._late_s, self._open, problem)
        try:
            answer = await request()
        except ModelUnavailableError as error:
            self._open(str(error))
            raise
        finally:
            late.cancel()
        self._warned = self._warned and late.when() <= asyncio.get_running_loop().time()
        self._problem = ""
        return answer

    def _open(self, problem: str) -> None:
        if not self._warned:
            logger.warning("words alone are compared: %s", problem)
        self._problem, self._warned = problem, True
        self._retry_at = self._clock() + MATCH_RETRY_S

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._requests.discard(task)
        if not task.cancelled():
            # Whoever waited for it has seen this; the others were told what is wrong.
            task.exception()
