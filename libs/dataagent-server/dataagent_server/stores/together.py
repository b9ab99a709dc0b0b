"""Small writes of many callers in few transactions: what waits while one runs goes into the next.

As `log_writer.py` for the log. Each write is a function over a connection that has no effect but
its SQL; one that fails is tried alone, so that nobody else's is lost with it.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from dataagent_server.db.database import Database

T = TypeVar("T")
Work = Callable[[Connection], Any]
Waiting = tuple[Work, "asyncio.Future[Any]"]

_TOGETHER_MAX = 64


class Together:
    """Writes what it is handed, in order; share one between the books of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; a caller who is cancelled does not stop it."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, future))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await future

    async def drain(self) -> None:
        """Wait until everything that was handed in is written or refused."""
        while self._working is not None:
            await asyncio.wait([self._working])

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch = self._waiting[:_TOGETHER_MAX]
                self._waiting = self._waiting[_TOGETHER_MAX:]
                await self._write(batch)
        finally:
            self._working = None

    async def _write(self, batch: Sequence[Waiting]) -> None:
        try:
            results = await self.database.write(lambda c: [work(c) for work, _ in batch])
        except Exception as error:  # noqa: BLE001 (it is some caller's, who hears of it)
            if len(batch) == 1:
                _fail(batch[0], error)
                return
            for waiting in batch:
                await self._write([waiting])
        else:
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():
                    future.set_result(result)


def _fail(waiting: Waiting, error: Exception) -> None:
    _, future = waiting
    if not future.done():
        future.set_exception(error)
