"""The port to the quota of a workspace, which a database or the disk itself counts.

A write is announced before it happens and may be refused. A command cannot be asked what it will
write: it gets what is left as its limit, and the disk is counted after it.
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
        """Say whether the write adds anything."""
        return self.size_bytes > 0 or self.files > 0


class WorkspaceQuota(Protocol):
    """Counts for one workspace."""

    def writing(self, growth: Callable[[], WriteGrowth]) -> AbstractContextManager[None]:
        """Reserve what a write adds while it happens; raises if the quota does not allow it.

        `growth` compares the disk with what is to be written. A quota that locks the workspace
        calls it under its lock, so that no other write comes between. Blocks: called from a
        thread, never on the loop.
        """
        ...

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        """Say whether so much more would be within the quota just now. Blocks like `writing`."""
        ...

    async def read_usage(self) -> QuotaUsage:
        """Read what is used and what is left."""
        ...

    async def recount(self) -> None:
        """Count the disk again after a command."""
        ...
