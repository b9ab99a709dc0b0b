"""Files without a name that a process has mapped, whether or not it still has them open."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

_KIB = 1024
# A line of /proc/PID/maps, and the first line of a mapping in /proc/PID/smaps.
_MAPPING = re.compile(
    r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) \S+ (?P<offset>[0-9a-f]+) "
    r"(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+) (?P<inode>\d+)\s+(?P<path>.*)"
)
_DELETED = " (deleted)"
# Memory that was mapped shared, without a file: nothing of it is outside its mapping.
_ONLY_MAPPED = ("/dev/zero", "/SYSV")
_RESIDENT = ("Pss:", "SwapPss:")


@dataclass(frozen=True, slots=True)
class MappedFileEstimate:
    """What a mapping shows of its file; `partial` if the file may be larger."""

    identity: tuple[int, int]
    size_bytes: int
    partial: bool


def list_mapped_files(pid: int) -> Iterator[os.stat_result]:
    """Look at each of them; raises `PermissionError` for anybody but root."""
    for mapping in _without_name(pid, "maps"):
        if not isinstance(mapping, str):
            place = f"/proc/{pid}/map_files/{mapping['start']}-{mapping['end']}"
            with suppress(FileNotFoundError, ProcessLookupError):  # unmapped by now
                yield os.stat(place)  # noqa: PTH116 - hot path


def estimate_mapped_files(pid: int, memory_device: int) -> Iterator[MappedFileEstimate]:
    """Tell of memory what is resident in this process, of a disk how far each mapping reaches."""
    identity, partial = None, False
    for line in _without_name(pid, "smaps"):
        if isinstance(line, str):
            if identity is not None and line.startswith(_RESIDENT):
                yield MappedFileEstimate(identity, int(line.split()[1]) * _KIB, partial)
            continue
        device = os.makedev(int(line["major"], 16), int(line["minor"], 16))
        seen, partial = (device, int(line["inode"])), not line["path"].startswith(_ONLY_MAPPED)
        identity = seen if device == memory_device else None
        if identity is None:
            length = int(line["end"], 16) - int(line["start"], 16)
            yield MappedFileEstimate(seen, int(line["offset"], 16) + length, partial)


def _without_name(pid: int, listing: str) -> Iterator[re.Match[str] | str]:
    """Give the mappings of files without a name, and the lines that follow each."""
    wanted = False
    with suppress(OSError), open(f"/proc/{pid}/{listing}") as lines:  # noqa: PTH123 - hot path
        for line in lines:
            if mapping := _MAPPING.match(line):
                wanted = mapping["path"].endswith(_DELETED)
            if wanted:
                yield mapping or line
