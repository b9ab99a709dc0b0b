"""The room for data workers in one process of ours, whatever sources they are of.

A worker has a place from its first question on, and keeps it while it rests, since its process then
still runs. Who needs a place takes a free one, or that of the worker that has rested longest, whose
process ends; else they wait in turn. Where a worker is done and somebody waits, they get its place.
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
    """Who has a process, or will have one."""

    @property
    def alive(self) -> bool:
        """Say whether its process runs."""
        ...

    async def restart(self) -> None:
        """End its process; the next question starts another."""
        ...


class WorkerSlots:
    """Hands out places, each to one worker."""

    def __init__(self, places_max: int = DATA_WORKERS_MAX) -> None:
        self._places_max = places_max
        self._free = places_max
        # The longest first.
        self._resting: OrderedDict[SlotHolder, None] = OrderedDict()
        # Each is given a place, with the guest who has to leave it, if one has.
        self._waiting: deque[asyncio.Future[SlotHolder | None]] = deque()

    @asynccontextmanager
    async def place(self, guest: SlotHolder, wait_s: float) -> AsyncGenerator[None]:
        """Have a place for one question, waiting so long for it."""
        await self._take(guest, wait_s)
        try:
            yield
        finally:
            self._done(guest)

    def forget(self, guest: SlotHolder) -> None:
        """Give back the place of one that was closed."""
        if guest in self._resting:
            del self._resting[guest]
            self._hand_on(None)

    async def _take(self, guest: SlotHolder, wait_s: float) -> None:
        if guest in self._resting:
            del self._resting[guest]
            return
        if self._free:
            self._free -= 1
            return
        leaving = self._resting.popitem(last=False)[0] if self._resting else None
        if leaving is None:
            leaving = await self._turn(wait_s)
        if leaving is not None:
            try:
                await run_to_completion(leaving.restart())
            except BaseException:
                self._hand_on(None)
                raise

    async def _turn(self, wait_s: float) -> SlotHolder | None:
        turn: asyncio.Future[SlotHolder | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(wait_s):
                return await asyncio.shield(turn)
        except BaseException as error:
            if turn.done():
                self._hand_on(turn.result())
            else:
                self._waiting.remove(turn)
            if not isinstance(error, TimeoutError):
                raise
        raise QueryFailedError(
            f"All {self._places_max} data workers are busy, and none was done within {wait_s:.3g} "
            "s. Ask again in a moment, or let more of them run: DATAAGENT_DATA_WORKERS_MAX"
        )

    def _done(self, guest: SlotHolder) -> None:
        if self._waiting or not guest.alive:
            self._hand_on(guest if guest.alive else None)
        else:
            self._resting[guest] = None

    def _hand_on(self, leaving: SlotHolder | None) -> None:
        """Give a place to the first who waits, or keep it."""
        if self._waiting:
            self._waiting.popleft().set_result(leaving)
        elif leaving is not None:
            self._resting[leaving] = None
        else:
            self._free += 1
