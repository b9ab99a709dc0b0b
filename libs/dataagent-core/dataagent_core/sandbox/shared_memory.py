"""How much memory of the machine is in files: asked before anybody is looked at.

One number for the whole machine, so it only says that it is worth looking who holds it.
"""

from pathlib import Path

_KIB = 1024


def shared_memory_bytes() -> int:
    """Add up memory in files and what of memory was moved to the swap."""
    values: dict[str, int] = {}
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in {"Shmem", "SwapTotal", "SwapFree"}:
            values[name] = int(rest.split()[0]) * _KIB
    return values.get("Shmem", 0) + max(0, values.get("SwapTotal", 0) - values.get("SwapFree", 0))
