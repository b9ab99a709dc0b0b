"""The port to whoever keeps count of what a workspace holds: a database, or the disk itself.

A write is announced before it happens and may be refused. A command cannot be asked what it will
write: it gets the room that is left as its limit, and the disk is counted after it.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """What a workspace holds on disk, and what it still takes. A folder counts as a file."""

    held_bytes: int
    held_files: int
    free_bytes: int
    free_files: int


@dataclass(frozen=True, slots=True)
class WriteGrowth:
    """What a write adds to a workspace; below zero where it frees something."""

    size_bytes: int
    files: int

    @property
    def adds(self) -> bool:
        """Say whether the write needs room."""
        return self.size_bytes > 0 or self.files > 0


class WorkspaceQuota(Protocol):
    """Counts for one workspace."""

    def writing(self, growth: Callable[[], WriteGrowth]) -> AbstractContextManager[None]:
        """Hold room for a write while it happens; raises if there is none.

        `growth` compares the disk with what is to be written. A quota that locks the workspace
        calls it under its lock, so that no other write comes between. Blocks: called from a
        thread, never on the loop.
        """
        ...

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        """Say whether so much more would be within the quota just now. Blocks like `writing`."""
        ...

    async def room(self) -> QuotaUsage:
        """Say what is left."""
        ...

    async def recount(self) -> None:
        """Count the disk: a command has run."""
        ...
