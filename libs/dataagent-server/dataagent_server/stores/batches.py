"""Many small things, written in few transactions: what waits while one runs goes into the next.

Only the queue. What a batch is, and what becomes of one that fails, is whoever writes it's:
`log_writer.py` for the log, `batched_writes.py` for everything else.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class QueuedItem(Generic[Item, Result]):
    """Something that is to be written, and who waits for it."""

    def __init__(self, item: Item, future: "asyncio.Future[Result]") -> None:
        self.item = item
        self._future = future

    def written(self, result: Result) -> None:
        """Tell the caller, unless they have gone."""
        if not self._future.done():
            self._future.set_result(result)

    def failed(self, error: BaseException) -> None:
        """Tell the caller, unless they have gone."""
        if not self._future.done():
            self._future.set_exception(error)


class Batches(Generic[Item, Result]):
    """Hands on what it is given in order; `write` answers its batch, or all of it has failed."""

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
        """Have something written; a caller who is cancelled does not stop it."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append(QueuedItem(item, future))
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
                batch = self._waiting[: self._together_max]
                self._waiting = self._waiting[self._together_max :]
                try:
                    await self._write(batch)
                except BaseException as error:
                    # Nobody waits for ever, also when the process is stopped in the middle.
                    for waiting in batch:
                        waiting.failed(error)
                    if not isinstance(error, Exception):
                        raise
        finally:
            self._working = None
