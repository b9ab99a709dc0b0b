"""Memory and disk that a process tree holds, and that neither a process nor a folder shows.

A `memfd` is memory that belongs to no process; a file that was unlinked while open takes the disk
until it is closed. Either may be open, mapped, or the program that runs. Pipes and sockets hold
memory of the kernel. No limit of the kernel counts the sum of these: /proc shows them one by one.

What is out of sight in /proc too makes the answer `partial`: a descriptor on its way through a unix
socket, connections nobody has accepted, and for another user than root a process that does not let
itself be looked at.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from dataagent_core.sandbox.limits.kernel_buffers import is_buffer, measure_buffer
from dataagent_core.sandbox.limits.mapped_files import estimate_mapped_files, list_mapped_files
from dataagent_core.sandbox.limits.open_descriptors import list_open_descriptors
from dataagent_core.sandbox.processes.process_tree import is_gone

_BLOCK_BYTES = 512
_KIB = 1024
_NOT_RESIDENT = ("VmPTE:", "VmSwap:")

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class HiddenUsage:
    """Memory, disk, how many files of the disk; `partial` if there may be more."""

    memory_bytes: int = 0
    disk_bytes: int = 0
    disk_files: int = 0
    partial: bool = False


@dataclass(slots=True)
class _HiddenFiles:
    memory_device: int
    files: dict[Identity, int] = field(default_factory=dict[Identity, int])
    estimated: dict[Identity, int] = field(default_factory=dict[Identity, int])
    buffers: dict[Identity, int] = field(default_factory=dict[Identity, int])
    kernel_bytes: int = 0
    partial: bool = False

    def add(self, status: os.stat_result) -> None:
        if status.st_nlink == 0:
            self.files[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK_BYTES

    def estimate(self, identity: Identity, size_bytes: int) -> None:
        before = self.estimated.get(identity, 0)
        # Shares of what is resident add up; of a file on disk the farthest reach counts.
        in_memory = identity[0] == self.memory_device
        self.estimated[identity] = before + size_bytes if in_memory else max(before, size_bytes)


def find_memory_device() -> int:
    """Find the kernel's own file system of memory, where every `memfd` is."""
    descriptor = os.memfd_create("dataagent")
    try:
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)


def measure_hidden_usage(pids: Iterable[int], memory: int, bounded: frozenset[int]) -> HiddenUsage:
    """Add up what these processes hold; what lies on `bounded` devices has a size of its own."""
    found = _HiddenFiles(memory)
    known = list(pids)
    for pid in known:
        _look_at(pid, found)
    # After the descriptors of all: what is open somewhere need not be estimated.
    for pid in known:
        _look_at_mappings(pid, found)
    sizes = {k: v for k, v in (found.estimated | found.files).items() if k[0] not in bounded}
    disk = [size_bytes for (device, _), size_bytes in sizes.items() if device != memory]
    in_files = sum(sizes.values()) - sum(disk)
    in_kernel = found.kernel_bytes + sum(found.buffers.values())
    return HiddenUsage(in_files + in_kernel, sum(disk), len(disk), found.partial)


def _look_at(pid: int, found: _HiddenFiles) -> None:
    try:
        for opened in list_open_descriptors(pid):
            found.add(opened.status)
            identity = opened.status.st_dev, opened.status.st_ino
            if is_buffer(opened) and identity not in found.buffers:
                buffer = measure_buffer(opened)
                found.buffers[identity] = buffer.size_bytes
                found.partial = found.partial or buffer.partial
    except PermissionError:
        found.partial = found.partial or not is_gone(pid)
    with suppress(OSError):
        found.add(os.stat(f"/proc/{pid}/exe"))  # noqa: PTH116 - hot path
    with suppress(OSError), open(f"/proc/{pid}/status") as lines:  # noqa: PTH123 - hot path
        numbers = (line.split()[1] for line in lines if line.startswith(_NOT_RESIDENT))
        found.kernel_bytes += sum(int(number) * _KIB for number in numbers)


def _look_at_mappings(pid: int, found: _HiddenFiles) -> None:
    try:
        for status in list_mapped_files(pid):
            found.add(status)
    except PermissionError:
        for one in estimate_mapped_files(pid, found.memory_device):
            if one.identity not in found.files:
                found.estimate(one.identity, one.size_bytes)
                found.partial = found.partial or one.partial
