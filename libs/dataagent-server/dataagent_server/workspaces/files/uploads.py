"""One upload: collected outside the workspaces, then renamed into its place.

Space is reserved before bytes are written and grows with them. The file appears complete or not at
all; an interrupted upload releases its space, and after a crash its reservation expires.
"""

import asyncio
import os
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, DataAgentError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.sandbox.files.file_write import ExpectedVersion, make_not_plain_error
from dataagent_core.sandbox.files.metered_root import count_missing_entries
from dataagent_core.sandbox.files.user_switch import act_as
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_server.common.errors import PayloadTooLargeError, QuotaExceededError
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces import limits
from dataagent_server.workspaces.quota.reservation_rows import Reservation, begin_hold, hold, settle
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import StorageAmount, Workspace

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o600


@dataclass(frozen=True, slots=True)
class _ReplacedFile:
    """The target of an upload: the file it replaces, or the missing names."""

    size_bytes: int
    missing: int
    expected: ExpectedVersion


class Upload:
    """`async with upload:` `write` pieces, then `finish`; leaving without it abandons the file."""

    def __init__(
        self, store: WorkspaceStore, principal: Principal, workspace: Workspace, path: str
    ) -> None:
        self.path = path
        self._principal = principal
        self.size_bytes = 0
        self._store = store
        self._workspace = workspace
        self._of = (TenantId(workspace.tenant_id), workspace.workspace_id)
        self._id = new_id()
        self._held = StorageAmount()
        self._replaced_bytes = 0
        self._renewed_s = 0.0
        self._waiting = bytearray()
        self._descriptor: int | None = None
        self._owner: int | None = None
        self._finished = False
        self._began = False

    async def __aenter__(self) -> Self:
        self._owner = await self._store.owner(self._of[0])
        before = await asyncio.to_thread(self._inspect)
        self._replaced_bytes = before.size_bytes
        wanted = Reservation(self._id, StorageAmount(0, before.missing))
        await self._store.database.write(
            lambda connection: begin_hold(connection, *self._of, wanted)
        )
        self._began = True
        self._held = wanted.more
        self._renewed_s = time.monotonic()
        try:
            await run_to_completion(asyncio.to_thread(self._open))
        except BaseException:
            await run_to_completion(self._abandon())
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._finished:
            await run_to_completion(self._abandon())

    async def expect(self, size_bytes: int) -> None:
        """Reserve space for an announced size, before the first byte."""
        self._refuse_too_large(size_bytes)
        await self._grow(size_bytes, exactly=True)

    async def write(self, data: bytes) -> None:
        """Write the next bytes."""
        self.size_bytes += len(data)
        self._refuse_too_large(self.size_bytes)
        self._waiting += data
        if len(self._waiting) >= limits.PIECE_BYTES:
            await self._flush()

    async def collected(self) -> None:
        """Reserve space for the whole file: all bytes have arrived."""
        await self._flush(last=True)

    async def finish(self) -> None:
        """Move the file into its place."""
        await self.collected()
        await run_to_completion(self._land())
        self._finished = True

    async def _flush(self, *, last: bool = False) -> None:
        data, self._waiting = bytes(self._waiting), bytearray()
        await self._grow(self.size_bytes, exactly=last)
        await run_to_completion(asyncio.to_thread(self._append, data))

    async def _grow(self, size_bytes: int, *, exactly: bool = False) -> None:
        """Reserve space for this many bytes in total, usually in large steps."""
        lacking = size_bytes - self._replaced_bytes - self._held.size_bytes
        renew = time.monotonic() - self._renewed_s > limits.RESERVATION_RENEWED_S
        if lacking <= 0 and not renew:
            return
        lacking = max(0, lacking)
        # Doubled, so that a long upload asks rarely and a short one reserves little.
        step = max(lacking, min(size_bytes, limits.RESERVED_STEP_BYTES)) if lacking else 0
        try:
            await self._hold(StorageAmount(lacking if exactly else step, 0))
        except QuotaExceededError:
            await self._hold(StorageAmount(lacking, 0))

    async def _hold(self, more: StorageAmount, *, landing: bool = False) -> None:
        wanted = Reservation(self._id, more, landing)
        await self._store.database.write(lambda connection: hold(connection, *self._of, wanted))
        self._held += more
        self._renewed_s = time.monotonic()

    async def _land(self) -> None:
        for _ in range(limits.UPLOAD_TRIES_MAX):
            before = await asyncio.to_thread(self._inspect)
            exact = StorageAmount(self.size_bytes - before.size_bytes, before.missing)
            await self._hold(exact - self._held, landing=True)
            try:
                await asyncio.to_thread(self._adopt, before.expected)
            except ConflictError:
                continue  # replaced by another user just now; count anew
            # The file is in place: a wrong counter is corrected by the next count.
            with suppress(DataAgentError):
                await self._settle(exact)
            return
        raise self._conflict()

    def _conflict(self) -> ConflictError:
        return ConflictError(f"{self.path!r} is being written by others too. Send it again.")

    async def _abandon(self) -> None:
        await asyncio.to_thread(self._close)
        if self._began:
            with suppress(DataAgentError):
                await self._store.database.write(
                    lambda connection: settle(connection, *self._of, self._id, StorageAmount())
                )

    async def _settle(self, actual: StorageAmount) -> None:
        def work(connection: Connection) -> None:
            settle(connection, *self._of, self._id, actual)
            self._record(connection)

        await self._store.database.write(work)

    def _record(self, connection: Connection) -> None:
        self._store.record(
            connection,
            self._principal,
            "file.upload",
            self._of[1],
            path=self.path,
            size_bytes=self.size_bytes,
        )

    def _inspect(self) -> _ReplacedFile:
        with self._store.directories.root(self._workspace.path) as root:
            for _ in range(limits.UPLOAD_TRIES_MAX):
                try:
                    node = root.stat(self.path)
                except NotFoundError:
                    return _ReplacedFile(0, count_missing_entries(root, self.path), "absent")
                if node.links == 0:
                    continue  # taken away between being found and being looked at
                if node.kind != "file" or node.links != 1:
                    raise make_not_plain_error(node, self.path)
                return _ReplacedFile(node.size_bytes, 0, node.version)
        raise self._conflict()

    def _open(self) -> None:
        with ExitStack() as stack:
            incoming_fd = self._store.directories.incoming(stack)
            self._descriptor = os.open(self._id, _NEW, _MODE, dir_fd=incoming_fd)
            if self._owner is not None:
                os.fchown(self._descriptor, self._owner, self._owner)

    def _append(self, data: bytes) -> None:
        assert self._descriptor is not None
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]

    def _adopt(self, expected: ExpectedVersion) -> None:
        assert self._descriptor is not None
        os.fsync(self._descriptor)
        above = format_path(split_path(self.path)[:-1])
        with ExitStack() as stack:
            incoming_fd = self._store.directories.incoming(stack)
            root = stack.enter_context(self._store.directories.root(self._workspace.path))
            with act_as(self._owner):
                root.make_folder(above)
            # Checking that the old file is still the counted one, and replacing it, are two steps;
            # another upload in between would be counted as if it had replaced it too.
            with self._store.directories.replacing(self._workspace.path):
                root.adopt(self.path, incoming_fd, self._id, expected=expected)
        os.close(self._descriptor)
        self._descriptor = None

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        with ExitStack() as stack, suppress(OSError, DataAgentError):
            os.unlink(self._id, dir_fd=self._store.directories.incoming(stack))

    def _refuse_too_large(self, size_bytes: int) -> None:
        if size_bytes > self._store.upload_bytes_max:
            raise PayloadTooLargeError(
                f"{self.path!r} is larger than the {self._store.upload_bytes_max:,} bytes a file "
                "may be uploaded with. Send less, or raise DATAAGENT_MAX_UPLOAD_BYTES.",
                {"max_bytes": self._store.upload_bytes_max},
            )
