"""The workers of one source: a few, so that a short query does not wait for a long one.

The pool makes another worker when all are busy, up to a limit. Then a query waits, which counts
against its time, and fails as busy in the end. A working member needs one of the slots that all
sources share.
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
    """A worker of the pool."""

    async def aclose(self) -> None:
        """End it for good."""
        ...


M = TypeVar("M", bound=PoolMember)


class WorkerPool(Generic[M]):
    """Leases its members, each to one request at a time."""

    def __init__(
        self,
        make: Callable[[], M],
        name: str,
        slots: WorkerSlots | None = None,
        members_max: int = DATA_WORKERS_OF_SOURCE_MAX,
    ) -> None:
        self._make = make
        self._slots = slots or WorkerSlots()
        # The name of the source in messages for a person.
        self._name = name
        self._members: list[M] = []
        # The member that was used last is still warm, and is taken first.
        self._free: list[M] = []
        self._permits = asyncio.Semaphore(members_max)
        self._members_max = members_max
        self._closed = False

    @asynccontextmanager
    async def member(self, wait_s: float) -> AsyncGenerator[tuple[M, float]]:
        """Lease a member for one request, with the seconds left."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(wait_s):
                await self._permits.acquire()
        except TimeoutError:
            raise QueryFailedError(
                f"{self._name} is busy with {self._members_max} other questions, and none was done "
                f"within {wait_s:.3g} s. Ask again in a moment, or give it more time."
            ) from None
        try:
            member = self._free.pop() if self._free else self._make_member()
        except BaseException:
            self._permits.release()
            raise
        try:
            async with self._slots.hold(member, wait_s - (time.monotonic() - began)):
                yield member, max(wait_s - (time.monotonic() - began), 0.0)
        finally:
            self._free.append(member)
            self._permits.release()

    async def aclose(self) -> None:
        """End all members, also busy ones; no more are made."""
        self._closed = True
        for member in self._members:
            await member.aclose()
            self._slots.forget(member)

    def _make_member(self) -> M:
        if self._closed:
            raise ConflictError(f"{self._name} was closed and answers no more questions.")
        made = self._make()
        self._members.append(made)
        return made
