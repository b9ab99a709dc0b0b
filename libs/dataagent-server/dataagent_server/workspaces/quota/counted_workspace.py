"""Core's quota port: counts an agent's writes in the database.

File tools call from threads; their calls are passed to the event loop of the database.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TypeVar

from sqlalchemy import Connection

from dataagent_core.errors import DataAgentError
from dataagent_core.ids import new_id
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage, WriteGrowth
from dataagent_core.sandbox.workspaces.directories import FOLDERS
from dataagent_server.common.ids import TenantId
from dataagent_server.workspaces.limits import DATABASE_S
from dataagent_server.workspaces.quota.counter_rows import add, read_counters
from dataagent_server.workspaces.quota.reconcile import reconcile
from dataagent_server.workspaces.quota.reservation_rows import Reservation, begin_hold, settle
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import StorageAmount, WorkspaceId

_log = logging.getLogger(__name__)
T = TypeVar("T")


class CountedWorkspace:
    """Core's `WorkspaceQuota` of one workspace. Created on the event loop of the database."""

    def __init__(
        self, store: WorkspaceStore, tenant_id: TenantId, workspace_id: WorkspaceId
    ) -> None:
        self._store = store
        self._of = (tenant_id, workspace_id)
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def writing(self, growth: Callable[[], WriteGrowth]) -> Generator[None]:
        """Reserve space during a write; freed space is released after it."""
        added = growth()
        more = StorageAmount(added.size_bytes, added.files)
        if not added.adds:
            yield
            if more:
                self._write_quietly(
                    lambda connection: add(connection, *self._of, more, anyway=True)
                )
            return
        hold = Reservation(new_id(), more, landing=True)
        self._write(lambda connection: begin_hold(connection, *self._of, hold))
        used = StorageAmount()
        try:
            yield
            used = more
        finally:
            self._write_quietly(
                lambda connection: settle(connection, *self._of, hold.reservation_id, used)
            )

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        """Return whether this much more fits the quotas of workspace and tenant."""
        now = self._write(lambda connection: read_counters(connection, *self._of))
        wanted = now.amount + StorageAmount(size_bytes, files)
        return (
            wanted.size_bytes <= now.maximum.size_bytes
            and wanted.files <= now.maximum.files
            and size_bytes <= now.tenant_room_bytes
        )

    async def read_usage(self) -> QuotaUsage:
        """Return what a command may still add."""
        now = await self._store.database.read(
            lambda connection: read_counters(connection, *self._of)
        )
        on_disk = now.amount - now.waiting - now.beside
        return QuotaUsage(
            held_bytes=on_disk.size_bytes,
            held_files=on_disk.files + len(FOLDERS),
            free_bytes=now.room.size_bytes,
            free_files=now.room.files,
        )

    async def recount(self) -> None:
        """Count the disk. A command's result is not lost if this fails."""
        try:
            await reconcile(self._store, *self._of)
        except DataAgentError as error:
            _log.warning("workspace %s was not counted: %s", self._of[1], error)

    def _write(self, work: Callable[[Connection], T]) -> T:
        answer = asyncio.run_coroutine_threadsafe(self._store.database.write(work), self._loop)
        return answer.result(DATABASE_S)

    def _write_quietly(self, work: Callable[[Connection], None]) -> None:
        # The write has happened, or has not; a wrong counter is corrected by the next count.
        with suppress(DataAgentError, TimeoutError):
            self._write(work)
