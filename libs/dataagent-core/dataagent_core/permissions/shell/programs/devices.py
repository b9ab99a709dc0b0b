"""Words that may lead to devices or the kernel's own files, however the path is written."""

import re
from itertools import pairwise

from dataagent_core.permissions.shell.line import UNKNOWN, Word

# Most words hold nothing of this, and need no closer look.
_SUSPECT = re.compile(r"proc|sys|dev|\x00|environ|root|mem|fd|cwd|exe|maps|task")
_VALUES = re.compile(r"[=:,@]")
_VALUES_MAX = 20
# How many letters of a group of options may stand before the value of the last one.
_LETTERS_MAX = 6
KERNEL_FOLDERS = frozenset({"proc", "sys"})
# They describe the machine, not its processes.
_ABOUT_MACHINE = frozenset(
    f"/proc/{name}" for name in ("cpuinfo", "meminfo", "version", "loadavg", "uptime")
)
_HARMLESS = frozenset({"null", "stdin", "stdout", "stderr", "fd"})
# A project may well have a folder `dev`, so there only what devices are called counts.
_DEVICE = re.compile(
    r"tcp|udp|shm|pts|k?mem|port|zero|full|u?random|[shv]d[a-z]\d*|nvme.*|loop.*|tty.*|fd"
)
_PROCESS = re.compile(r"self|thread-self|\d+|[^/]*\x00[^/]*")
_OF_KERNEL = frozenset({"proc"})
_OF_PROCESSES = frozenset({"self", "thread-self", "1", "23"})
_OF_PROCESS = frozenset({"environ", "root", "mem", "fd", "cwd", "exe", "maps", "task"})


def may_be_device(text: str) -> bool:
    """Say whether a word, or the value of an option, may name a device or a file of the kernel."""
    if "/" not in text:
        return text in KERNEL_FOLDERS
    if text in _ABOUT_MACHINE:
        return False
    if not _SUSPECT.search(text):
        return False
    values = _VALUES.split(text, maxsplit=_VALUES_MAX)
    paths = [text, *values] if len(values) > 1 else [text]
    if text.startswith("-") and not text.startswith("--"):
        paths += [text[index:] for index in range(2, 2 + _LETTERS_MAX)]
    return len(values) > _VALUES_MAX or any(_leads_to_kernel(path) for path in paths)


def is_everything(word: Word) -> bool:
    """Say whether a word is the root, below which the kernel's files are too."""
    return word.text.startswith("/") and not word.text.strip("/.")


def _leads_to_kernel(path: str) -> bool:
    """Say whether the folders of a path may lead to a device or a file of the kernel.

    Where a relative path begins is not certain, so `proc/self` may be `/proc/self`; behind `..`
    nothing is certain.
    """
    names = [name for name in path.split("/") if name not in {"", "."}]
    if not names:
        return False
    absolute, first = path.startswith("/"), names[0]
    if first == "dev":
        name = names[1] if len(names) > 1 else ""
        return ".." in names or _is_device(name, absolute=absolute)
    behind = names[names.index("..") :] if ".." in names else []
    return (
        (first in KERNEL_FOLDERS and "/" in path)
        or (absolute and UNKNOWN in first)
        or not {"dev", *KERNEL_FOLDERS}.isdisjoint(behind)
        or any(
            name in _OF_PROCESS and _PROCESS.fullmatch(before) for before, name in pairwise(names)
        )
        or (UNKNOWN in path and _may_lead_to_kernel(names))
    )


def _may_lead_to_kernel(names: list[str]) -> bool:
    """Say whether a relative path with patterns in it may be a file of a process, or a device."""
    folder, *behind = (_compile_name(name) for name in names[:3])
    if folder.fullmatch("dev") and names[0].strip(UNKNOWN):
        return len(names) > 1 and _is_device(names[1], absolute=False)
    wanted = (_OF_KERNEL, _OF_PROCESSES, _OF_PROCESS)
    patterns = (folder, *behind)
    return len(patterns) == len(wanted) and all(
        any(pattern.fullmatch(name) for name in found)
        for pattern, found in zip(patterns, wanted, strict=True)
    )


def _compile_name(name: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, name.split(UNKNOWN))), re.DOTALL)


def _is_device(name: str, *, absolute: bool) -> bool:
    """Say whether a name in a folder `dev` is a device; in a relative one only the usual names."""
    if absolute:
        return name not in _HARMLESS
    return _DEVICE.fullmatch(name) is not None
