"""How much memory of the machine belongs to no process and no file on a disk.

That is memory in files (`memfd`, shared memory), what was swapped out, and the kernel's own: pipes,
sockets, page tables. These are numbers of the whole machine, so they only say that it is worth
looking who holds it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

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
