"""The workers of one source: a few, so that a short question does not wait for a long one.

Another one is made when all are busy. Who finds all of them busy waits, and is told so when the
time is up: waiting counts. At work each needs a place in the room that all sources share.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Generic, Protocol, TypeVar

from dataagent_core.config.limits.data import DATA_WORKERS_OF_SOURCE_MAX
from dataagent_core.errors import ConflictError, QueryFailedError
from dataagent_core.tools.data.sources.workers.worker_slots import SlotHolder, WorkerSlots


class PoolMember(SlotHolder, Protocol):
    """What a crew is made of."""

    async def aclose(self) -> None:
        """End it for good."""
        ...


M = TypeVar("M", bound=PoolMember)


class WorkerPool(Generic[M]):
    """Hands out its members, each to one question at a time."""

    def __init__(
        self,
        make: Callable[[], M],
        name: str,
        room: WorkerSlots | None = None,
        members_max: int = DATA_WORKERS_OF_SOURCE_MAX,
    ) -> None:
        self._make = make
        self._room = room or WorkerSlots()
        # What a person calls the source.
        self._name = name
        self._members: list[M] = []
        # The one that was busy last is still warm, and the first to be taken.
        self._free: list[M] = []
        self._places = asyncio.Semaphore(members_max)
        self._members_max = members_max
        self._closed = False

    @asynccontextmanager
    async def member(self, wait_s: float) -> AsyncGenerator[tuple[M, float]]:
        """Give a member for one question, and what is left of the time."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(wait_s):
                await self._places.acquire()
        except TimeoutError:
            raise QueryFailedError(
                f"{self._name} is busy with {self._members_max} other questions, and none was done "
                f"within {wait_s:.3g} s. Ask again in a moment, or give it more time."
            ) from None
        try:
            member = self._free.pop() if self._free else self._made()
        except BaseException:
            self._places.release()
            raise
        try:
            async with self._room.place(member, wait_s - (time.monotonic() - began)):
                yield member, max(wait_s - (time.monotonic() - began), 0.0)
        finally:
            self._free.append(member)
            self._places.release()

    async def aclose(self) -> None:
        """End all of them, also those at work; none is made any more."""
        self._closed = True
        for member in self._members:
            await member.aclose()
            self._room.forget(member)

    def _made(self) -> M:
        if self._closed:
            raise ConflictError(f"{self._name} was closed and answers no more questions.")
        made = self._make()
        self._members.append(made)
        return made
