"""The quota of a workspace that no database counts: the disk itself is counted before each write.

Every write, also one that frees room, counts and happens under a lock that holds against other
processes, so writers at the same time cannot together exceed the quota. Counting costs
about 6 ms per thousand files.
"""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager

from dataagent_core.errors import QuotaExceededError
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage, WriteGrowth
from dataagent_core.sandbox.limits.folder_size import FolderSize
from dataagent_core.sandbox.workspaces.directories import FOLDERS, WorkspaceDirectories


class DiskQuota:
    """A `WorkspaceQuota` over the files of one directory."""

    def __init__(
        self, directories: WorkspaceDirectories, workspace_id: str, bytes_max: int, files_max: int
    ) -> None:
        self._directories = directories
        self._workspace_id = workspace_id
        self._bytes_max = bytes_max
        self._files_max = files_max

    @contextmanager
    def writing(self, growth: Callable[[], WriteGrowth]) -> Generator[None]:
        """Hold the lock while a write happens; raises if what it adds does not fit."""
        with self._directories.replacing(self._workspace_id):
            added = growth()
            if added.adds:
                self._check(added)
            yield

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        """Say whether so much more would be within the quota just now."""
        bytes_free, files_free = self._free(self._measure())
        return size_bytes <= bytes_free and files <= files_free

    async def room(self) -> QuotaUsage:
        """Say what a command may still add."""
        held = await asyncio.to_thread(self._measure)
        bytes_free, files_free = self._free(held)
        return QuotaUsage(
            held_bytes=held.size_bytes,
            held_files=held.entries + len(FOLDERS),
            free_bytes=max(bytes_free, 0),
            free_files=max(files_free, 0),
        )

    async def recount(self) -> None:
        """Do nothing: the next write counts the disk, and with it what the command left."""

    def _check(self, added: WriteGrowth) -> None:
        bytes_free, files_free = self._free(self._measure())
        if added.size_bytes > max(bytes_free, 0) or added.files > max(files_free, 0):
            raise QuotaExceededError(
                f"The workspace has room for {max(bytes_free, 0)} bytes and "
                f"{max(files_free, 0)} files more, not for {added.size_bytes} bytes and "
                f"{added.files} files. Delete something first."
            )

    def _measure(self) -> FolderSize:
        return self._directories.measure(self._workspace_id)

    def _free(self, held: FolderSize) -> tuple[int, int]:
        free = self._bytes_max - held.size_bytes, self._files_max - held.entries
        # Nobody knows what the rest of an incomplete count holds: the workspace counts as full.
        return free if held.complete else (min(free[0], 0), min(free[1], 0))
