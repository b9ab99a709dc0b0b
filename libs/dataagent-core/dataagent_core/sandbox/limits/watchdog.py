"""Stops a command whose process tree uses too much, where the kernel limits single processes only.

It checks every `watch_interval_s`; in between a command can overshoot. A hard total needs a cgroup
(`cgroup.py`). Expensive checks run when a cheap number has moved: the free disk space, or
`UnownedMemory`, the memory of the machine that belongs to no process (memfd, swap, pipes, sockets).
These numbers are machine-wide, so folders and hidden files are also counted now and then; a command
that hides something is charged with the whole change.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Self

from dataagent_core.config.limits import (
    SANDBOX_WATCH_COUNT_S,
    SANDBOX_WATCH_COUNT_SHARE,
    SANDBOX_WATCH_HELD_S,
)
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.limits.disk_growth import DiskGrowth, FolderGrowth
from dataagent_core.sandbox.limits.hidden_usage import (
    HiddenUsage,
    find_memory_device,
    measure_hidden_usage,
)
from dataagent_core.sandbox.port import KilledReason
from dataagent_core.sandbox.processes.process_tree import TreeUsage, list_pids_below, measure_tree

_KIB = 1024
_NOT_THE_KERNELS = ("MemFree", "Buffers", "Cached", "SwapCached", "AnonPages", "SReclaimable")


@dataclass(frozen=True, slots=True)
class UnownedMemory:
    """What is in files, swapped out included, and what the kernel has for itself."""

    in_files_bytes: int
    kernel_bytes: int

    @classmethod
    def now(cls) -> Self:
        """Read /proc/meminfo, where memory in files is part of the page cache."""
        values: dict[str, int] = {}
        for line in Path("/proc/meminfo").read_text().splitlines():
            name, _, rest = line.partition(":")
            values[name] = int(rest.split()[0]) * _KIB
        swapped = values["SwapTotal"] - values["SwapFree"]
        others = sum(values[name] for name in _NOT_THE_KERNELS)
        return cls(values["Shmem"] + swapped, values["MemTotal"] - others)

    def grown_by(self, before: "UnownedMemory") -> int:
        """Add up what either has grown by; one that shrank hides nothing of the other."""
        in_files = self.in_files_bytes - before.in_files_bytes
        return max(0, in_files) + max(0, self.kernel_bytes - before.kernel_bytes)


# Clocks of files tick more coarsely than ours.
_CLOCK_SLACK_NS = 20_000_000
# File systems of a run's own, in memory, each with a size.
_OWN_FILE_SYSTEMS = ("tmp", "dev", "dev/shm")


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """What a running command uses now."""

    tree: TreeUsage
    disk_growth_bytes: int
    new_files: int = 0
    # Memory in files without a name, and the kernel's for this command.
    held_bytes: int = 0


def find_excess(use: ResourceUsage, limits: CommandLimits) -> KilledReason | None:
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

    def __init__(self, root_pid: int, folder_fds: Sequence[int], limits: CommandLimits) -> None:
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
        self._memory_device = find_memory_device()
        self._held_at_s = self._counted_at_s = time.monotonic()
        self._count_took_s = 0.0
        self._own_files_at_start: dict[str, int] = {}
        self._own_files_now: dict[str, int] = {}

    async def first_excess(self) -> KilledReason:
        """Wait until a limit is passed. The caller cancels it when the command has ended."""
        while True:
            await asyncio.sleep(self._limits.watch_interval_s)
            reason = find_excess(await asyncio.to_thread(self._use), self._limits)
            if reason is not None:
                return reason

    def _use(self) -> ResourceUsage:
        tree = measure_tree(self._root_pid, self._limits.processes)
        unowned_bytes = UnownedMemory.now().grown_by(self._unowned_at_start)
        shrunk = any(folder.has_shrunk() for folder in self._folders) or self._is_count_due()
        may_pass = tree.memory_bytes + unowned_bytes > self._limits.memory_bytes
        looks = shrunk or may_pass or time.monotonic() - self._held_at_s >= SANDBOX_WATCH_HELD_S
        held = self._held(tree) if looks else HiddenUsage()
        # What has no name is the command's for certain, whatever the file system says.
        growth = DiskGrowth(held.disk_bytes, held.disk_files)
        if shrunk:
            growth = sum(self._count(), growth)
        memory_bytes = held.memory_bytes
        if held.partial:
            growth = reduce(
                DiskGrowth.at_least, (folder.lost() for folder in self._folders), growth
            )
            memory_bytes = max(memory_bytes, unowned_bytes)
        new_files = max(growth.files, self._own_files())
        return ResourceUsage(tree, growth.size_bytes, new_files, memory_bytes)

    def _is_count_due(self) -> bool:
        """Say whether to count though the disk did not shrink: others may have given back."""
        pause_s = max(SANDBOX_WATCH_COUNT_S, SANDBOX_WATCH_COUNT_SHARE * self._count_took_s)
        return time.monotonic() - self._counted_at_s >= pause_s

    def _count(self) -> list[DiskGrowth]:
        began_s = time.monotonic()
        found = [folder.counted() for folder in self._folders]
        self._counted_at_s = time.monotonic()
        self._count_took_s = self._counted_at_s - began_s
        return found

    def _held(self, tree: TreeUsage) -> HiddenUsage:
        pids = list_pids_below(self._root_pid, tree.processes + 1)
        found = measure_hidden_usage(pids, self._memory_device, frozenset(self._own_devices()))
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
