"""Words that may lead to devices or the kernel's own files, however the path is written."""

import re

from dataagent_core.permissions.shell.word import UNKNOWN

_VALUES = re.compile(r"[=:,@]")
_VALUES_MAX = 20
# How many letters of a group of options may stand before the value of the last one.
_LETTERS_MAX = 6
_KERNEL = frozenset({"proc", "sys"})
_HARMLESS = frozenset({"null", "stdin", "stdout", "stderr", "fd"})
# A project may well have a folder `dev`, so there only what devices are called counts.
_DEVICE = re.compile(
    r"tcp|udp|shm|pts|k?mem|port|zero|full|u?random|[shv]d[a-z]\d*|nvme.*|loop.*|tty.*|fd"
)
_PROCESS = re.compile(r"self|thread-self|\d+|[^/]*\x00[^/]*")
_OF_PROCESS = frozenset({"environ", "root", "mem", "fd", "cwd", "exe", "maps", "task"})


def may_be_device(text: str) -> bool:
    """Say whether a word, or the value of an option, may name a device or a file of the kernel."""
    if "/" not in text:
        return text in _KERNEL
    if _leads_there(text):
        return True
    values = _VALUES.split(text, maxsplit=_VALUES_MAX)
    if len(values) > 1 and any(_leads_there(value) for value in values if "/" in value):
        return True
    if len(values) > _VALUES_MAX:
        return True
    if text[0] != "-" or text.startswith("--"):
        return False
    return any(_leads_there(text[place:]) for place in range(2, 2 + _LETTERS_MAX))


def _leads_there(path: str) -> bool:
    """Look at the folders of a path.

    Where a relative path begins is not known for certain, so `proc/self` may be `/proc/self`, and
    behind `..` nothing is.
    """
    names = [name for name in path.split("/") if name not in {"", "."}]
    if not names:
        return False
    first, second = names[0], names[1] if len(names) > 1 else ""
    absolute = path.startswith("/")
    if first in _KERNEL:
        return True
    if first == "dev":
        return (
            (absolute and second not in _HARMLESS)
            or bool(_DEVICE.fullmatch(second))
            and (not absolute or second != "fd")
        )
    if absolute and UNKNOWN in first:
        return True
    if ".." in names:
        behind = names[names.index("..") :]
        if not {"dev", *_KERNEL}.isdisjoint(behind):
            return True
    return any(
        name in _OF_PROCESS and _PROCESS.fullmatch(before)
        for before, name in zip(names, names[1:], strict=False)
    )
