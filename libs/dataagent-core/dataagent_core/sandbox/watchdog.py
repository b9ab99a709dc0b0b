"""Stops a command whose whole tree uses too much, where the kernel counts only each process.

It looks every `watch_interval_s`; between two looks a command can overshoot. A hard total
needs a cgroup (`cgroup.py`).

What costs more is looked at when a number that costs nothing has moved: the free space of the file
system, the memory of the machine that is in files. Both are everybody's: somebody else may give
back what a command takes. So files without a name are also looked for now and then.
"""

import asyncio
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits import SANDBOX_WATCH_FILES_MAX, SANDBOX_WATCH_HELD_S
from dataagent_core.sandbox.disk_growth import changed_since, free_bytes, free_files
from dataagent_core.sandbox.held_files import Held, held_by, memory_device
from dataagent_core.sandbox.measure import measure
from dataagent_core.sandbox.port import KilledReason
from dataagent_core.sandbox.process_tree import TreeUse, pids_below, tree_use
from dataagent_core.sandbox.quota import Room
from dataagent_core.sandbox.run_limits import RunLimits
from dataagent_core.sandbox.shared_memory import shared_memory_bytes

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
    # Memory in files without a name.
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
    """Watches one process tree and one folder from the moment it is made."""

    def __init__(self, root_pid: int, folder_fd: int, limits: RunLimits) -> None:
        self._root_pid = root_pid
        self._folder_fd = folder_fd
        self._limits = limits
        self._began_ns = time.time_ns() - _CLOCK_SLACK_NS
        self._free_at_start = free_bytes(folder_fd)
        self._free_files_at_start = free_files(folder_fd)
        self._shared_at_start = shared_memory_bytes()
        self._memory_device = memory_device()
        self._held_at_s = time.monotonic()
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
        shrunk = self._has_shrunk()
        held = self._held(tree) if shrunk or self._is_worth_a_look(tree) else Held()
        # What has no name is the command's for certain, whatever the file system says.
        growth, files = self._growth() if shrunk else (0, 0)
        return Use(
            tree,
            growth + held.disk_bytes,
            max(files + held.disk_files, self._own_files()),
            held.memory_bytes,
        )

    def _is_worth_a_look(self, tree: TreeUse) -> bool:
        in_files = shared_memory_bytes() - self._shared_at_start
        due = time.monotonic() - self._held_at_s >= SANDBOX_WATCH_HELD_S
        return due or tree.memory_bytes + in_files > self._limits.memory_bytes

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
        return devices - {os.fstat(self._folder_fd).st_dev}

    def _own_files(self) -> int:
        """Count new files in the fullest file system of the run's own: no size bounds them."""
        for place in _OWN_FILE_SYSTEMS:
            with suppress(OSError):
                stats = os.statvfs(f"/proc/{self._root_pid}/root/{place}")
                used = stats.f_files - stats.f_ffree
                self._own_files_at_start.setdefault(place, used)
                self._own_files_now[place] = used - self._own_files_at_start[place]
        return max(self._own_files_now.values(), default=0)

    def _has_shrunk(self) -> bool:
        """Say whether the file system lost more than the command may take of it."""
        lost_bytes = self._free_at_start - free_bytes(self._folder_fd)
        lost_files = self._free_files_at_start - free_files(self._folder_fd)
        return lost_bytes > self._limits.disk_growth_bytes or lost_files > self._limits.new_files

    def _growth(self) -> tuple[int, int]:
        if self._limits.room is None:
            return changed_since(self._folder_fd, self._began_ns, SANDBOX_WATCH_FILES_MAX)
        return self._counted_growth(self._limits.room)

    def _counted_growth(self, room: Room) -> tuple[int, int]:
        now = measure(self._folder_fd)
        growth, new_files = now.size_bytes - room.held_bytes, now.entries - room.held_files
        # The rest is somebody else's, or has no name and is counted as that: look again when the
        # file system has shrunk by what is left.
        self._free_at_start = free_bytes(self._folder_fd) + growth
        self._free_files_at_start = free_files(self._folder_fd) + new_files
        return growth, new_files
