"""The slots for data workers in one of our processes, shared by all sources.

A worker takes a slot with its first request and keeps it while it is idle, since its process still
runs. A worker without a slot takes a free one, or that of the worker that is idle longest, whose
process ends; otherwise it waits in line. A worker that finishes hands its slot to the first waiter.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol

from dataagent_core.config.limits.data import DATA_WORKERS_MAX
from dataagent_core.errors import QueryFailedError
from dataagent_core.sandbox.processes.completion import run_to_completion


class SlotHolder(Protocol):
    """A worker that has a process, or will have one."""

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        ...

    async def restart(self) -> None:
        """End its process; the next request starts another."""
        ...


class WorkerSlots:
    """Assigns slots to workers."""

    def __init__(self, slots_max: int = DATA_WORKERS_MAX) -> None:
        self._slots_max = slots_max
        self._free = slots_max
        # Longest idle first.
        self._idle: OrderedDict[SlotHolder, None] = OrderedDict()
        # Each waiter gets a slot, with the worker that must give it up, if there is one.
        self._waiting: deque[asyncio.Future[SlotHolder | None]] = deque()

    @asynccontextmanager
    async def hold(self, worker: SlotHolder, wait_s: float) -> AsyncGenerator[None]:
        """Hold a slot for one request; wait at most `wait_s` for it."""
        await self._take(worker, wait_s)
        try:
            yield
        finally:
            self._release(worker)

    def forget(self, worker: SlotHolder) -> None:
        """Release the slot of a closed worker."""
        if worker in self._idle:
            del self._idle[worker]
            self._pass_on(None)

    async def _take(self, worker: SlotHolder, wait_s: float) -> None:
        if worker in self._idle:
            del self._idle[worker]
            return
        if self._free:
            self._free -= 1
            return
        leaving = self._idle.popitem(last=False)[0] if self._idle else None
        if leaving is None:
            leaving = await self._wait_for_slot(wait_s)
        if leaving is not None:
            try:
                await run_to_completion(leaving.restart())
            except BaseException:
                self._pass_on(None)
                raise

    async def _wait_for_slot(self, wait_s: float) -> SlotHolder | None:
        waiter: asyncio.Future[SlotHolder | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            async with asyncio.timeout(wait_s):
                return await asyncio.shield(waiter)
        except BaseException as error:
            if waiter.done():
                self._pass_on(waiter.result())
            else:
                self._waiting.remove(waiter)
            if not isinstance(error, TimeoutError):
                raise
        raise QueryFailedError(
            f"All {self._slots_max} data workers are busy, and none was done within {wait_s:.3g} "
            "s. Ask again in a moment, or let more of them run: DATAAGENT_DATA_WORKERS_MAX"
        )

    def _release(self, worker: SlotHolder) -> None:
        if self._waiting or not worker.alive:
            self._pass_on(worker if worker.alive else None)
        else:
            self._idle[worker] = None

    def _pass_on(self, leaving: SlotHolder | None) -> None:
        """Pass the slot to the first waiter, or keep it."""
        if self._waiting:
            self._waiting.popleft().set_result(leaving)
        elif leaving is not None:
            self._idle[leaving] = None
        else:
            self._free += 1
