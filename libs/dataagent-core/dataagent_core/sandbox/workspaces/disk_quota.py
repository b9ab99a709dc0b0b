"""The quota of a workspace that no database counts: the disk itself is counted before each write.

A lock holds between counting and writing, also against other processes, so writers at the same
time cannot together exceed the quota. Counting costs about 6 ms per thousand files.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from dataagent_core.errors import QuotaExceededError
from dataagent_core.sandbox.measure import Measured
from dataagent_core.sandbox.quota import Room
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
    def writing(self, size_bytes: int, files: int) -> Generator[None]:
        """Hold the lock while a write happens that adds something; raises if it does not fit."""
        if size_bytes <= 0 and files <= 0:
            yield
            return
        with self._directories.replacing(self._workspace_id):
            held = self._measure()
            bytes_free, files_free = self._free(held)
            if (size_bytes > 0 and size_bytes > bytes_free) or (files > 0 and files > files_free):
                raise QuotaExceededError(
                    f"The workspace has room for {max(bytes_free, 0)} bytes and "
                    f"{max(files_free, 0)} files more, not for {size_bytes} bytes and {files} "
                    "files. Delete something first."
                )
            yield

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        """Say whether so much more would be within the quota just now."""
        bytes_free, files_free = self._free(self._measure())
        return size_bytes <= bytes_free and files <= files_free

    async def room(self) -> Room:
        """Say what a command may still add."""
        held = await asyncio.to_thread(self._measure)
        bytes_free, files_free = self._free(held)
        return Room(
            held_bytes=held.size_bytes,
            held_files=held.entries + len(FOLDERS),
            free_bytes=max(bytes_free, 0),
            free_files=max(files_free, 0),
        )

    async def recount(self) -> None:
        """Do nothing: the next write counts the disk, and with it what the command left."""

    def _measure(self) -> Measured:
        return self._directories.measure(self._workspace_id)

    def _free(self, held: Measured) -> tuple[int, int]:
        return self._bytes_max - held.size_bytes, self._files_max - held.entries
