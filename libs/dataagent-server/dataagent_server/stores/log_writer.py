"""The writer for all logs of a process (`batches.py`).

With one run this is one transaction per append, at once. With two hundred runs it is a few large
transactions instead of thousands of small ones.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, ValidationError
from dataagent_core.events import Event
from dataagent_core.session.stores.sql.event_appends import Append
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.database import Database
from dataagent_server.stores.appends import commit_appends
from dataagent_server.stores.batches import Batches, QueuedItem

_TOGETHER_MAX = 256
# Updates other rows for the written events, in the same transaction.
Project = Callable[[Connection, str, Sequence[Event]], None]
Appends = Sequence[QueuedItem[Append, list[Event]]]


class LogWriter:
    """Writes appends in their order; shared by the logs of a database."""

    def __init__(self, database: Database, project: Project | None = None) -> None:
        self.database = database
        self._project = project
        self._batches: Batches[Append, list[Event]] = Batches(
            self._write, together_max=_TOGETHER_MAX
        )

    async def append(self, item: Append) -> list[Event]:
        """Write one append; a cancelled caller does not stop it."""
        return await self._batches.put(item)

    async def drain(self) -> None:
        """Wait until all queued appends are written or refused."""
        await self._batches.drain()

    async def _write(self, batch: Appends) -> None:
        try:
            await self._commit(batch, check_known=False)
        except (ConflictError, ValidationError):
            # One of them repeats an event or cannot be stored: each is retried alone.
            for waiting in batch:
                try:
                    await self._commit([waiting], check_known=True)
                except Exception as error:  # noqa: BLE001 (it is that caller's)
                    waiting.failed(error)

    async def _commit(self, batch: Appends, *, check_known: bool) -> None:
        appends = [waiting.item for waiting in batch]

        def work(connection: Connection) -> list[list[Event] | LeaseLostError]:
            written = commit_appends(connection, appends, check_known=check_known)
            if self._project is not None:
                for item, stored in zip(appends, written, strict=True):
                    if not isinstance(stored, LeaseLostError):
                        self._project(connection, item.tenant_id, stored)
            return written

        results = await self.database.write(work)
        for waiting, result in zip(batch, results, strict=True):
            if isinstance(result, LeaseLostError):
                waiting.failed(result)
            else:
                waiting.written(result)
