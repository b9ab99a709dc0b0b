"""Files without a name that a process tree holds on to: open, or mapped, and nowhere to be listed.

A `memfd` is memory that belongs to no process; a file that was unlinked while open takes the disk
until it is closed. No limit of the kernel counts the sum of either, and no walk over a folder sees
them: /proc does. A descriptor on its way through a unix socket is in no table; only a cgroup counts
what it holds.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

_BLOCK_BYTES = 512
_KIB = 1024
# The first line of a mapping in /proc/PID/smaps.
_MAPPING = re.compile(
    r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) \S+ (?P<offset>[0-9a-f]+) "
    r"(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+) (?P<inode>\d+)\s+(?P<path>.*)"
)
_DELETED = " (deleted)"
_RESIDENT = ("Pss:", "SwapPss:")

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Held:
    """What is held without a name: memory, disk, and how many files of the disk."""

    memory_bytes: int = 0
    disk_bytes: int = 0
    disk_files: int = 0


def memory_device() -> int:
    """Find the kernel's own file system of memory, where every `memfd` is."""
    descriptor = os.memfd_create("dataagent")
    try:
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)


def held_by(pids: Iterable[int], memory: int, bounded: frozenset[int]) -> Held:
    """Add up what these processes hold; what lies on `bounded` devices has a size of its own."""
    known = list(pids)
    files: dict[Identity, int] = {}
    for pid in known:
        for status in _open_files(pid):
            if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                files[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK_BYTES
    mapped: dict[Identity, int] = {}
    for pid in known:
        for identity, size_bytes in _mapped_files(pid, memory):
            before = mapped.get(identity, 0)
            # Shares of what is resident add up; of a file the farthest reach counts.
            is_memory = identity[0] == memory
            mapped[identity] = before + size_bytes if is_memory else max(before, size_bytes)
    sizes = {k: v for k, v in (mapped | files).items() if k[0] not in bounded}
    disk = [size_bytes for (device, _), size_bytes in sizes.items() if device != memory]
    return Held(sum(sizes.values()) - sum(disk), sum(disk), len(disk))


def _open_files(pid: int) -> Iterator[os.stat_result]:
    """Look at the descriptors of every thread: one may have a table of its own."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - hot path
            folder = f"/proc/{pid}/task/{thread}/fd"
            with suppress(OSError):
                for name in os.listdir(folder):  # noqa: PTH208
                    with suppress(OSError):
                        yield os.stat(f"{folder}/{name}")  # noqa: PTH116


def _mapped_files(pid: int, memory: int) -> Iterator[tuple[Identity, int]]:
    """List mapped files without a name: memory by what is resident, disk by how far it reaches."""
    current: Identity | None = None
    with suppress(OSError), open(f"/proc/{pid}/smaps") as lines:  # noqa: PTH123
        for line in lines:
            mapping = _MAPPING.match(line)
            if mapping is not None:
                identity = _identity(mapping)
                nameless = mapping["path"].rstrip("\n").endswith(_DELETED)
                current = identity if identity[0] == memory else None
                if nameless and current is None and mapping["inode"] != "0":
                    length = int(mapping["end"], 16) - int(mapping["start"], 16)
                    yield identity, int(mapping["offset"], 16) + length
            elif current is not None and line.startswith(_RESIDENT):
                yield current, int(line.split()[1]) * _KIB


def _identity(mapping: re.Match[str]) -> Identity:
    device = os.makedev(int(mapping["major"], 16), int(mapping["minor"], 16))
    return device, int(mapping["inode"])
