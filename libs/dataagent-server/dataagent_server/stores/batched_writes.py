"""Combines small writes of many callers into few transactions (`batches.py`).

Each write is a function over a connection that has no effect but its SQL; one that fails is retried
alone, so that the others succeed.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from dataagent_server.db.database import Database
from dataagent_server.stores.batches import Batches, QueuedItem

T = TypeVar("T")
Work = Callable[[Connection], Any]

_TOGETHER_MAX = 64


class BatchedWrites:
    """Writes in order; shared by the stores of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._batches: Batches[Work, Any] = Batches(self._write, together_max=_TOGETHER_MAX)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; a cancelled caller does not stop it."""
        return await self._batches.put(work)

    async def drain(self) -> None:
        """Wait until all queued writes are done or refused."""
        await self._batches.drain()

    async def _write(self, batch: Sequence[QueuedItem[Work, Any]]) -> None:
        try:
            results = await self.database.write(lambda c: [waiting.item(c) for waiting in batch])
        except Exception as error:  # noqa: BLE001 (it is some caller's, who hears of it)
            if len(batch) == 1:
                batch[0].failed(error)
            else:
                for waiting in batch:
                    await self._write([waiting])
        else:
            for waiting, result in zip(batch, results, strict=True):
                waiting.written(result)
