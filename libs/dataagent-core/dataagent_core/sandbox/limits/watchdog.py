"""Stops a command whose process tree uses too much, where the kernel limits single processes only.

It checks every `watch_interval_s`; in between a command can overshoot. A hard total needs a cgroup
(`cgroup.py`). Expensive checks run when a cheap number has moved: the free disk space, or
`UnownedMemory`, the memory of the machine that belongs to no process (memfd, swap, pipes, sockets).
These numbers are machine-wide, so folders and hidden files are also counted now and then; a command
that hides something is charged with the whole change.

A folder is counted only if the free space of its file system, which is read in a microsecond, has
shrunk by more than the limit. The count covers the entries that changed since the command began, or
all of them if their number at the start is known.
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
    SANDBOX_WATCH_FILES_MAX,
    SANDBOX_WATCH_HELD_S,
    SANDBOX_WATCH_MOVED_MAX,
)
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.limits.folder_size import (
    FolderSize,
    count_occupied_bytes,
    measure_folder,
)
from dataagent_core.sandbox.limits.hidden_usage import (
    HiddenUsage,
    find_memory_device,
    measure_hidden_usage,
)
from dataagent_core.sandbox.port import KilledReason
from dataagent_core.sandbox.processes.process_tree import TreeUsage, list_pids_below, measure_tree

_KIB = 1024
_NOT_THE_KERNELS = ("MemFree", "Buffers", "Cached", "SwapCached", "AnonPages", "SReclaimable")
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
    """Decide whether a command exceeds a limit, and which."""
    if use.tree.processes > limits.processes:
        return "processes"
    if use.tree.memory_bytes + use.held_bytes > limits.memory_bytes:
        return "memory"
    if use.disk_growth_bytes > limits.disk_growth_bytes:
        return "disk"
    if use.new_files > limits.new_files:
        return "disk"
    return None


@dataclass(frozen=True, slots=True)
class UnownedMemory:
    """What is in files, swapped out included, and what the kernel has for itself."""

    in_files_bytes: int
    kernel_bytes: int

    @classmethod
    def read(cls) -> Self:
        """Read /proc/meminfo, where memory in files is part of the page cache."""
        values: dict[str, int] = {}
        for line in Path("/proc/meminfo").read_text().splitlines():
            name, _, rest = line.partition(":")
            values[name] = int(rest.split()[0]) * _KIB
        swapped = values["SwapTotal"] - values["SwapFree"]
        others = sum(values[name] for name in _NOT_THE_KERNELS)
        return cls(values["Shmem"] + swapped, values["MemTotal"] - others)

    def growth_since(self, before: "UnownedMemory") -> int:
        """Add up the growth of both; one that shrank does not offset the other."""
        in_files = self.in_files_bytes - before.in_files_bytes
        return max(0, in_files) + max(0, self.kernel_bytes - before.kernel_bytes)


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
        self._free_at_start = _read_free_space(folder_fd)
        # What was free when the folder was counted last, and would be without what was counted.
        self._free_but_counted = self._free_at_start
        self._moved_times = 0

    def measure_loss(self) -> DiskGrowth:
        """Measure what the file system lost since the start, to any process."""
        return _subtract(self._free_at_start, _read_free_space(self._folder_fd))

    def has_shrunk(self) -> bool:
        """Say whether uncounted entries may exceed the limits of the command."""
        lost = _subtract(self._free_but_counted, _read_free_space(self._folder_fd))
        return lost.is_beyond(self._limits)

    def count(self) -> DiskGrowth:
        """Count; a folder too large for that, or closed to us, grew by all that was lost."""
        found, growth = self._count()
        if found.moved:
            self._moved_times += 1
        elif found.complete:
            self._moved_times = 0
        if not found.complete:
            # Of a folder that was moved meanwhile the rest may be seen at the next count.
            is_certain = found.moved and self._moved_times <= SANDBOX_WATCH_MOVED_MAX
            return growth if is_certain else self.measure_loss()
        # The rest is somebody else's, or has no name and is counted as that.
        self._free_but_counted = growth + _read_free_space(self._folder_fd)
        return growth

    def _count(self) -> tuple[FolderSize, DiskGrowth]:
        usage = self._limits.usage
        if usage is not None:
            found = measure_folder(self._folder_fd)
            added = DiskGrowth(
                found.size_bytes - usage.held_bytes, found.entries - usage.held_files
            )
            return found, added
        found = measure_folder(
            self._folder_fd,
            entries_max=SANDBOX_WATCH_FILES_MAX,
            cost=count_occupied_bytes,
            since_ns=self._since_ns,
            unlocks=False,
        )
        return found, DiskGrowth(found.size_bytes, found.entries)


def _read_free_space(folder_fd: int) -> DiskGrowth:
    """Read the free space; some file systems do not count files and report 0."""
    stats = os.fstatvfs(folder_fd)
    return DiskGrowth(stats.f_bfree * stats.f_frsize, stats.f_ffree)


def _subtract(before: DiskGrowth, after: DiskGrowth) -> DiskGrowth:
    return DiskGrowth(before.size_bytes - after.size_bytes, before.files - after.files)


class Watchdog:
    """Watches one process tree and the folders it may write from the moment it is made."""

    def __init__(self, root_pid: int, folder_fds: Sequence[int], limits: CommandLimits) -> None:
        self._root_pid = root_pid
        self._limits = limits
        began_ns = time.time_ns() - _CLOCK_SLACK_NS
        # Only of the workspace, which is the first, it may be known what it held before.
        alone = replace(limits, usage=None)
        self._folders = [
            FolderGrowth(folder, alone if number else limits, began_ns)
            for number, folder in enumerate(folder_fds)
        ]
        self._unowned_at_start = UnownedMemory.read()
        self._memory_device = find_memory_device()
        self._held_at_s = self._counted_at_s = time.monotonic()
        self._count_took_s = 0.0
        self._own_files_at_start: dict[str, int] = {}
        self._own_files_now: dict[str, int] = {}

    async def wait_for_excess(self) -> KilledReason:
        """Wait until a limit is passed. The caller cancels it when the command has ended."""
        while True:
            await asyncio.sleep(self._limits.watch_interval_s)
            reason = find_excess(await asyncio.to_thread(self._measure_usage), self._limits)
            if reason is not None:
                return reason

    def _measure_usage(self) -> ResourceUsage:
        tree = measure_tree(self._root_pid, self._limits.processes)
        unowned_bytes = UnownedMemory.read().growth_since(self._unowned_at_start)
        shrunk = any(folder.has_shrunk() for folder in self._folders) or self._is_count_due()
        may_pass = tree.memory_bytes + unowned_bytes > self._limits.memory_bytes
        looks = shrunk or may_pass or time.monotonic() - self._held_at_s >= SANDBOX_WATCH_HELD_S
        held = self._measure_hidden_usage(tree) if looks else HiddenUsage()
        # What has no name is the command's for certain, whatever the file system says.
        growth = DiskGrowth(held.disk_bytes, held.disk_files)
        if shrunk:
            growth = sum(self._count(), growth)
        memory_bytes = held.memory_bytes
        if held.partial:
            growth = reduce(
                DiskGrowth.at_least, (folder.measure_loss() for folder in self._folders), growth
            )
            memory_bytes = max(memory_bytes, unowned_bytes)
        new_files = max(growth.files, self._count_own_files())
        return ResourceUsage(tree, growth.size_bytes, new_files, memory_bytes)

    def _is_count_due(self) -> bool:
        """Say whether to count though the disk did not shrink: others may have given back."""
        pause_s = max(SANDBOX_WATCH_COUNT_S, SANDBOX_WATCH_COUNT_SHARE * self._count_took_s)
        return time.monotonic() - self._counted_at_s >= pause_s

    def _count(self) -> list[DiskGrowth]:
        began_s = time.monotonic()
        found = [folder.count() for folder in self._folders]
        self._counted_at_s = time.monotonic()
        self._count_took_s = self._counted_at_s - began_s
        return found

    def _measure_hidden_usage(self, tree: TreeUsage) -> HiddenUsage:
        pids = list_pids_below(self._root_pid, tree.processes + 1)
        found = measure_hidden_usage(pids, self._memory_device, frozenset(self._find_own_devices()))
        self._held_at_s = time.monotonic()
        return found

    def _find_own_devices(self) -> set[int]:
        devices: set[int] = set()
        for path in _OWN_FILE_SYSTEMS:
            with suppress(OSError):
                devices.add(Path(f"/proc/{self._root_pid}/root/{path}").stat().st_dev)
        return devices - {folder.device for folder in self._folders}

    def _count_own_files(self) -> int:
        """Count new files in the fullest file system of the run's own: no size bounds them."""
        for path in _OWN_FILE_SYSTEMS:
            with suppress(OSError):
                stats = os.statvfs(f"/proc/{self._root_pid}/root/{path}")
                used = stats.f_files - stats.f_ffree
                self._own_files_at_start.setdefault(path, used)
                self._own_files_now[path] = used - self._own_files_at_start[path]
        return max(self._own_files_now.values(), default=0)
