"""The files of a workspace for users: list, read, delete. Uploads are in `uploads.py`.

The kernel opens every path below the workspace (core's `SafeRoot`); a path that leaves it by `..`,
a link or a second name is a `PATH_ESCAPE_ERROR`.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.sandbox.files.file_node import FileNode, make_node
from dataagent_core.sandbox.files.metered_root import count_missing_entries
from dataagent_core.sandbox.files.path_errors import translate_os_error
from dataagent_core.sandbox.files.path_walk import walk_to_target
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.files.user_switch import act_as
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.sandbox.workspaces.tree_removal import move_to_trash, remove_from_trash
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.access import Wish, find_accessible
from dataagent_server.workspaces.files.file_lists import FileEntry, FileListRequest, list_page
from dataagent_server.workspaces.files.paths import new_file, render_path, require_removable
from dataagent_server.workspaces.files.uploads import Upload
from dataagent_server.workspaces.limits import PIECE_BYTES
from dataagent_server.workspaces.quota.counter_rows import add
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import StorageAmount, Workspace, WorkspaceId
from dataagent_server.workspaces.workspace_rows import find_default

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file open for reading; the caller closes it."""

    descriptor: int
    node: FileNode
    path: str

    async def piece(self, at: int, size_bytes: int) -> bytes:
        """Read some bytes from an offset."""
        wanted = min(size_bytes, PIECE_BYTES)
        return await asyncio.to_thread(os.pread, self.descriptor, wanted, at)

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


@dataclass(frozen=True, slots=True)
class WorkspaceFiles:
    """The operations of users on the files of a workspace."""

    store: WorkspaceStore

    async def list(
        self, principal: Principal, workspace_id: WorkspaceId, request: FileListRequest
    ) -> tuple[list[FileEntry], str | None]:
        """List a folder or the tree beneath it, a page at a time."""
        workspace = await self._find(principal, workspace_id, "read")
        return await self._run_in_root(workspace, lambda root: list_page(root, request))

    async def open(self, principal: Principal, workspace_id: WorkspaceId, path: str) -> OpenedFile:
        """Open a file for reading."""
        return await self._open(await self._find(principal, workspace_id, "read"), path)

    async def open_made(self, tenant_id: TenantId, user_id: str, path: str) -> OpenedFile:
        """Open a file made by a user's agent; the caller has checked the right."""
        workspace = await self.store.database.read(lambda c: find_default(c, tenant_id, user_id))
        if workspace is None:
            raise NotFoundError(f"{render_path(path)!r} is not there any more.")
        return await self._open(workspace, path)

    async def upload(self, principal: Principal, workspace_id: WorkspaceId, path: str) -> Upload:
        """Begin an upload; use it as a context manager."""
        workspace = await self._find_writable(principal, workspace_id)
        await self.store.directory(workspace)
        return Upload(self.store, principal, workspace, new_file(path))

    async def make_folder(self, principal: Principal, workspace_id: WorkspaceId, path: str) -> None:
        """Create a folder, with its parents."""
        workspace = await self._find_writable(principal, workspace_id)
        owner = await self.store.owner(principal.tenant_id)
        checked = new_file(path)
        missing = await self._run_in_root(
            workspace, lambda root: count_missing_entries(root, checked)
        )
        if not missing:
            return
        await self._add(workspace, StorageAmount(0, missing))

        def make(root: SafeRoot) -> None:
            with act_as(owner):
                root.make_folder(checked)

        try:
            await run_to_completion(self._run_in_root(workspace, make))
        except BaseException:
            await asyncio.shield(self._add(workspace, StorageAmount(0, -missing)))
            raise

    async def delete(
        self, principal: Principal, workspace_id: WorkspaceId, path: str
    ) -> StorageAmount:
        """Delete a file or a folder with its content; return how much that was."""
        workspace = await self._find(principal, workspace_id, "write")
        parts = require_removable(path)

        def remove(root: SafeRoot) -> StorageAmount:
            with ExitStack() as stack:
                trash_fd = self.store.directories.trash(stack)
                try:
                    place = stack.enter_context(
                        walk_to_target(
                            root.fileno(), parts, follow=False, one_device=True, follow_last=False
                        )
                    )
                    with self.store.directories.replacing(workspace.path):
                        thrown = move_to_trash(place.directory_fd, place.name, trash_fd)
                except OSError as error:
                    raise translate_os_error(error, path) from error
                removed = remove_from_trash(trash_fd, thrown)
                return StorageAmount(removed.size_bytes, removed.entries)

        async def removing() -> StorageAmount:
            removed = await self._run_in_root(workspace, remove)
            of = principal.tenant_id, workspace_id

            def record(connection: Connection) -> None:
                add(connection, *of, StorageAmount() - removed, anyway=True)
                self.store.record(
                    connection, principal, "file.delete", workspace_id, path=render_path(path)
                )

            await self.store.database.write(record)
            return removed

        return await run_to_completion(removing())

    async def _open(self, workspace: Workspace, path: str) -> OpenedFile:
        def opened(root: SafeRoot) -> OpenedFile:
            descriptor = root.open_fd(path)
            return OpenedFile(descriptor, make_node(os.fstat(descriptor)), path)

        return await self._run_in_root(workspace, opened)

    async def _run_in_root(self, workspace: Workspace, work: Callable[[SafeRoot], T]) -> T:
        await self.store.directory(workspace)

        def inside() -> T:
            with self.store.directories.root(workspace.path) as root:
                return work(root)

        return await asyncio.to_thread(inside)

    async def _add(self, workspace: Workspace, more: StorageAmount) -> None:
        of = TenantId(workspace.tenant_id), workspace.workspace_id
        anyway = more.files <= 0
        await self.store.database.write(
            lambda connection: add(connection, *of, more, anyway=anyway)
        )

    async def _find(self, principal: Principal, workspace_id: WorkspaceId, use: Wish) -> Workspace:
        return await self.store.database.read(
            lambda connection: find_accessible(connection, principal, workspace_id, use)
        )

    async def _find_writable(self, principal: Principal, workspace_id: WorkspaceId) -> Workspace:
        workspace = await self._find(principal, workspace_id, "write")
        if not workspace.is_active:
            raise ConflictError(
                f"The workspace {workspace_id!r} is switched off. Activate it first."
            )
        return workspace
