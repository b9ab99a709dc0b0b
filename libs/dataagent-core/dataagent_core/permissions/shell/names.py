"""Names of programs: lists of them, and one name however it is spelled."""

import posixpath

# Where the system's own programs are; nothing a run can write to.
_SYSTEM = frozenset({"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"})


def names(text: str) -> frozenset[str]:
    """Make a set of the names in a text."""
    return frozenset(text.split())


def program_name(text: str) -> str:
    """Write `/usr/bin/rm` as `rm`; `./rm` may be anything and keeps its path."""
    if "/" not in text:
        return text
    folder, name = posixpath.split(posixpath.normpath(text))
    return name if text.startswith("/") and "/" + folder.lstrip("/") in _SYSTEM else text


def bare_name(text: str) -> str:
    """Give the last part of a path: what a rule that forbids should be compared with, too."""
    return text.rsplit("/", maxsplit=1)[-1]
