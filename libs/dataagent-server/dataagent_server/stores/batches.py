"""A queue that combines many small items into few batches: items wait while a batch is written.

Only the queue. The writers define the batches and the handling of failures: `log_writer.py` for the
log, `batched_writes.py` for everything else.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class QueuedItem(Generic[Item, Result]):
    """An item to be written, and the caller that waits for it."""

    def __init__(self, item: Item, future: "asyncio.Future[Result]") -> None:
        self.item = item
        self._future = future

    def written(self, result: Result) -> None:
        """Resolve the caller, unless it is gone."""
        if not self._future.done():
            self._future.set_result(result)

    def failed(self, error: BaseException) -> None:
        """Fail the caller, unless it is gone."""
        if not self._future.done():
            self._future.set_exception(error)


class Batches(Generic[Item, Result]):
    """Passes items on in order; `write` resolves its batch, or the whole batch fails."""

    def __init__(
        self,
        write: Callable[[Sequence[QueuedItem[Item, Result]]], Awaitable[None]],
        *,
        together_max: int,
    ) -> None:
        self._write = write
        self._together_max = together_max
        self._waiting: list[QueuedItem[Item, Result]] = []
        self._working: asyncio.Task[None] | None = None

    async def put(self, item: Item) -> Result:
        """Queue an item and wait; a cancelled caller does not stop it."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append(QueuedItem(item, future))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await future

    async def drain(self) -> None:
        """Wait until all queued items are written or refused."""
        while self._working is not None:
            await asyncio.wait([self._working])

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch = self._waiting[: self._together_max]
                self._waiting = self._waiting[self._together_max :]
                try:
                    await self._write(batch)
                except BaseException as error:
                    # No caller waits forever, also when the process stops in between.
                    for waiting in batch:
                        waiting.failed(error)
                    if not isinstance(error, Exception):
                        raise
        finally:
            self._working = None
