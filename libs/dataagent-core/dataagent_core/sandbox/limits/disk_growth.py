"""How much a running command has added to a folder.

The free space of the file system is asked first: that costs a microsecond. Only when it has shrunk
by more than the limit, and somebody else may be the reason, are the entries counted: those that
changed since the command began, or all, where it is known how many there were before.
"""

import os
from dataclasses import dataclass

from dataagent_core.config.limits import SANDBOX_WATCH_FILES_MAX, SANDBOX_WATCH_MOVED_MAX
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.limits.folder_size import (
    FolderSize,
    count_occupied_bytes,
    measure_folder,
)


@dataclass(frozen=True, slots=True)
class DiskGrowth:
    """Bytes of the disk and entries that came."""

    size_bytes: int = 0
    files: int = 0

    def __add__(self, other: "DiskGrowth") -> "DiskGrowth":
        return DiskGrowth(self.size_bytes + other.size_bytes, self.files + other.files)

    def at_least(self, other: "DiskGrowth") -> "DiskGrowth":
        """Give the larger of each."""
        return DiskGrowth(max(self.size_bytes, other.size_bytes), max(self.files, other.files))

    def is_beyond(self, limits: CommandLimits) -> bool:
        """Say whether a command may not add so much."""
        return self.size_bytes > limits.disk_growth_bytes or self.files > limits.new_files


class FolderGrowth:
    """Watches one folder from the moment it is made."""

    def __init__(self, folder_fd: int, limits: CommandLimits, since_ns: int) -> None:
        self.device = os.fstat(folder_fd).st_dev
        self._folder_fd = folder_fd
        self._limits = limits
        self._since_ns = since_ns
        self._free_at_start = _free(folder_fd)
        # What was free when the folder was counted last, and would be without what was counted.
        self._free_but_counted = self._free_at_start
        self._moved_times = 0

    def lost(self) -> DiskGrowth:
        """Say what the file system lost since the start, whoever took it."""
        return _between(self._free_at_start, _free(self._folder_fd))

    def has_shrunk(self) -> bool:
        """Say whether what was not counted yet may bring the command beyond its limits."""
        lost = _between(self._free_but_counted, _free(self._folder_fd))
        return lost.is_beyond(self._limits)

    def counted(self) -> DiskGrowth:
        """Count; a folder too large for that, or closed to us, grew by all that was lost."""
        found, growth = self._count()
        if found.moved:
            self._moved_times += 1
        elif found.complete:
            self._moved_times = 0
        if not found.complete:
            # Of a folder that was moved meanwhile the rest may be seen at the next count.
            is_certain = found.moved and self._moved_times <= SANDBOX_WATCH_MOVED_MAX
            return growth if is_certain else self.lost()
        # The rest is somebody else's, or has no name and is counted as that.
        self._free_but_counted = growth + _free(self._folder_fd)
        return growth

    def _count(self) -> tuple[FolderSize, DiskGrowth]:
        room = self._limits.room
        if room is not None:
            found = measure_folder(self._folder_fd)
            added = DiskGrowth(found.size_bytes - room.held_bytes, found.entries - room.held_files)
            return found, added
        found = measure_folder(
            self._folder_fd,
            entries_max=SANDBOX_WATCH_FILES_MAX,
            cost=count_occupied_bytes,
            since_ns=self._since_ns,
            unlocks=False,
        )
        return found, DiskGrowth(found.size_bytes, found.entries)


def _free(folder_fd: int) -> DiskGrowth:
    """Say what the file system still takes; some do not count files and say 0."""
    stats = os.fstatvfs(folder_fd)
    return DiskGrowth(stats.f_bfree * stats.f_frsize, stats.f_ffree)


def _between(before: DiskGrowth, after: DiskGrowth) -> DiskGrowth:
    return DiskGrowth(before.size_bytes - after.size_bytes, before.files - after.files)
