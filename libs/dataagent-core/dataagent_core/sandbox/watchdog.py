"""Stops a command whose whole tree uses too much, where the kernel counts only each process.

It looks every `watch_interval_s`; between two looks a command can overshoot. A hard total
needs a cgroup (`cgroup.py`).
"""

import asyncio
import time
from dataclasses import dataclass

from dataagent_core.config.limits import SANDBOX_WATCH_FILES_MAX
from dataagent_core.sandbox.disk_growth import changed_bytes, free_bytes, free_files
from dataagent_core.sandbox.measure import measure
from dataagent_core.sandbox.port import KilledReason
from dataagent_core.sandbox.process_tree import TreeUse, tree_use
from dataagent_core.sandbox.quota import Room
from dataagent_core.sandbox.run_limits import RunLimits

# Clocks of files tick more coarsely than ours.
_CLOCK_SLACK_NS = 20_000_000


@dataclass(frozen=True, slots=True)
class Use:
    """What a running command uses now."""

    tree: TreeUse
    disk_growth_bytes: int
    new_files: int = 0


def verdict(use: Use, limits: RunLimits) -> KilledReason | None:
    """Decide whether a command has to go, and why."""
    if use.tree.processes > limits.processes:
        return "processes"
    if use.tree.memory_bytes > limits.memory_bytes:
        return "memory"
    if use.disk_growth_bytes > limits.disk_growth_bytes:
        return "disk"
    if limits.room is not None and use.new_files > limits.room.free_files:
        return "disk"
    return None


class Watchdog:
    """Watches one process tree and one folder from the moment it is made."""

    def __init__(self, root_pid: int, folder_fd: int, limits: RunLimits) -> None:
        self._root_pid = root_pid
        self._folder_fd = folder_fd
        self._limits = limits
        self._began_ns = time.time_ns() - _CLOCK_SLACK_NS
        self._free_at_start = free_bytes(folder_fd)
        self._free_files_at_start = free_files(folder_fd)

    async def first_excess(self) -> KilledReason:
        """Wait until a limit is passed. The caller cancels it when the command has ended."""
        while True:
            await asyncio.sleep(self._limits.watch_interval_s)
            reason = verdict(await asyncio.to_thread(self._use), self._limits)
            if reason is not None:
                return reason

    def _use(self) -> Use:
        tree = tree_use(self._root_pid, self._limits.processes)
        if self._limits.room is not None:
            return Use(tree, *self._counted_growth(self._limits.room))
        return Use(tree, self._disk_growth())

    def _disk_growth(self) -> int:
        shrunk = self._free_at_start - free_bytes(self._folder_fd)
        if shrunk <= self._limits.disk_growth_bytes:
            return 0
        return changed_bytes(self._folder_fd, self._began_ns, SANDBOX_WATCH_FILES_MAX)

    def _counted_growth(self, room: Room) -> tuple[int, int]:
        """Count the workspace, but only when the file system lost more than it may grow."""
        free, files = free_bytes(self._folder_fd), free_files(self._folder_fd)
        if (
            self._free_at_start - free <= self._limits.disk_growth_bytes
            and self._free_files_at_start - files <= room.free_files
        ):
            return 0, 0
        now = measure(self._folder_fd)
        growth, new_files = now.size_bytes - room.held_bytes, now.entries - room.held_files
        # The rest was somebody else's: look again when it has shrunk by what is left.
        self._free_at_start = free + growth
        self._free_files_at_start = files + new_files
        return growth, new_files
