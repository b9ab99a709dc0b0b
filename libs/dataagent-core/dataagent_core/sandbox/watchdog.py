"""Stops a command whose whole tree uses too much, where the kernel counts only each process.

It looks every `watch_interval_s`; between two looks a command can overshoot. A hard total
needs a cgroup (`cgroup.py`).

What costs more is looked at when a number that costs nothing has moved: the free space of the file
system, the memory of the machine that no process has. Both are everybody's: somebody else may give
back what a command takes. So folders are also counted, and what a command holds without a name is
looked for, now and then, and a command that hides something answers for the whole of these numbers.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from dataagent_core.config.limits import (
    SANDBOX_WATCH_COUNT_S,
    SANDBOX_WATCH_COUNT_SHARE,
    SANDBOX_WATCH_HELD_S,
)
from dataagent_core.sandbox.disk_growth import FolderGrowth, Growth
from dataagent_core.sandbox.held_files import Held, held_by, memory_device
from dataagent_core.sandbox.machine_memory import UnownedMemory
from dataagent_core.sandbox.port import KilledReason
from dataagent_core.sandbox.process_tree import TreeUse, pids_below, tree_use
from dataagent_core.sandbox.run_limits import RunLimits

# Clocks of files tick more coarsely than ours.
_CLOCK_SLACK_NS = 20_000_000
# File systems of a run's own, in memory, each with a size.
_OWN_FILE_SYSTEMS = ("tmp", "dev", "dev/shm")


@dataclass(frozen=True, slots=True)
class Use:
    """What a running command uses now."""

    tree: TreeUse
    disk_growth_bytes: int
    new_files: int = 0
    # Memory in files without a name, and the kernel's for this command.
    held_bytes: int = 0


def verdict(use: Use, limits: RunLimits) -> KilledReason | None:
    """Decide whether a command has to go, and why."""
    if use.tree.processes > limits.processes:
        return "processes"
    if use.tree.memory_bytes + use.held_bytes > limits.memory_bytes:
        return "memory"
    if use.disk_growth_bytes > limits.disk_growth_bytes:
        return "disk"
    if use.new_files > limits.new_files:
        return "disk"
    return None


class Watchdog:
    """Watches one process tree and the folders it may write from the moment it is made."""

    def __init__(self, root_pid: int, folder_fds: Sequence[int], limits: RunLimits) -> None:
        self._root_pid = root_pid
        self._limits = limits
        began_ns = time.time_ns() - _CLOCK_SLACK_NS
        # Only of the workspace, which is the first, it may be known what it held before.
        alone = replace(limits, room=None)
        self._folders = [
            FolderGrowth(folder, alone if number else limits, began_ns)
            for number, folder in enumerate(folder_fds)
        ]
        self._unowned_at_start = UnownedMemory.now()
        self._memory_device = memory_device()
        self._held_at_s = self._counted_at_s = time.monotonic()
        self._count_took_s = 0.0
        self._own_files_at_start: dict[str, int] = {}
        self._own_files_now: dict[str, int] = {}

    async def first_excess(self) -> KilledReason:
        """Wait until a limit is passed. The caller cancels it when the command has ended."""
        while True:
            await asyncio.sleep(self._limits.watch_interval_s)
            reason = verdict(await asyncio.to_thread(self._use), self._limits)
            if reason is not None:
                return reason

    def _use(self) -> Use:
        tree = tree_use(self._root_pid, self._limits.processes)
        unowned_bytes = UnownedMemory.now().grown_by(self._unowned_at_start)
        shrunk = any(folder.has_shrunk() for folder in self._folders) or self._is_count_due()
        may_pass = tree.memory_bytes + unowned_bytes > self._limits.memory_bytes
        looks = shrunk or may_pass or time.monotonic() - self._held_at_s >= SANDBOX_WATCH_HELD_S
        held = self._held(tree) if looks else Held()
        # What has no name is the command's for certain, whatever the file system says.
        growth = Growth(held.disk_bytes, held.disk_files)
        if shrunk:
            growth = sum(self._count(), growth)
        memory_bytes = held.memory_bytes
        if held.partial:
            growth = reduce(Growth.at_least, (folder.lost() for folder in self._folders), growth)
            memory_bytes = max(memory_bytes, unowned_bytes)
        new_files = max(growth.files, self._own_files())
        return Use(tree, growth.size_bytes, new_files, memory_bytes)

    def _is_count_due(self) -> bool:
        """Say whether to count though the disk did not shrink: others may have given back."""
        pause_s = max(SANDBOX_WATCH_COUNT_S, SANDBOX_WATCH_COUNT_SHARE * self._count_took_s)
        return time.monotonic() - self._counted_at_s >= pause_s

    def _count(self) -> list[Growth]:
        began_s = time.monotonic()
        found = [folder.counted() for folder in self._folders]
        self._counted_at_s = time.monotonic()
        self._count_took_s = self._counted_at_s - began_s
        return found

    def _held(self, tree: TreeUse) -> Held:
        pids = pids_below(self._root_pid, tree.processes + 1)
        found = held_by(pids, self._memory_device, frozenset(self._own_devices()))
        self._held_at_s = time.monotonic()
        return found

    def _own_devices(self) -> set[int]:
        devices: set[int] = set()
        for place in _OWN_FILE_SYSTEMS:
            with suppress(OSError):
                devices.add(Path(f"/proc/{self._root_pid}/root/{place}").stat().st_dev)
        return devices - {folder.device for folder in self._folders}

    def _own_files(self) -> int:
        """Count new files in the fullest file system of the run's own: no size bounds them."""
        for place in _OWN_FILE_SYSTEMS:
            with suppress(OSError):
                stats = os.statvfs(f"/proc/{self._root_pid}/root/{place}")
                used = stats.f_files - stats.f_ffree
                self._own_files_at_start.setdefault(place, used)
                self._own_files_now[place] = used - self._own_files_at_start[place]
        return max(self._own_files_now.values(), default=0)
