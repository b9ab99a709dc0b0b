"""One writer for all logs of a process: what waits while a transaction runs goes into the next.

With one run this is one transaction per append, at once. With two hundred runs it is a few large
transactions, each a handful of statements, instead of thousands of small ones.
"""

import asyncio
from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, ValidationError
from dataagent_core.events import Event
from dataagent_server.db.database import Database
from dataagent_server.errors import LeaseLostError
from dataagent_server.stores.appends import Append, commit_appends

_TOGETHER_MAX = 256
# Keeps other rows in step with the events just written, in the same transaction.
Project = Callable[[Connection, str, Sequence[Event]], None]
Waiting = tuple[Append, "asyncio.Future[list[Event]]"]


class LogWriter:
    """Writes appends in the order they come; share one between the logs of a database."""

    def __init__(self, database: Database, project: Project | None = None) -> None:
        self.database = database
        self._project = project
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def append(self, item: Append) -> list[Event]:
        """Write one append; a caller who is cancelled does not stop it."""
        future: asyncio.Future[list[Event]] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
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
            await self._together(batch, check_known=False)
        except (ConflictError, ValidationError):
            # One of them repeats an event or cannot be stored: each for itself, looked at closely.
            for waiting in batch:
                try:
                    await self._together([waiting], check_known=True)
                except Exception as error:  # noqa: BLE001 (it is that caller's)
                    _fail([waiting], error)
        except BaseException as error:
            _fail(batch, error)
            if not isinstance(error, Exception):
                raise

    async def _together(self, batch: Sequence[Waiting], *, check_known: bool) -> None:
        appends = [item for item, _ in batch]

        def work(connection: Connection) -> list[list[Event] | LeaseLostError]:
            written = commit_appends(connection, appends, check_known=check_known)
            if self._project is not None:
                for item, stored in zip(appends, written, strict=True):
                    if not isinstance(stored, LeaseLostError):
                        self._project(connection, item.tenant_id, stored)
            return written

        results = await self.database.write(work)
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if isinstance(result, LeaseLostError):
                future.set_exception(result)
            else:
                future.set_result(result)


def _fail(batch: Sequence[Waiting], error: BaseException) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(error)
