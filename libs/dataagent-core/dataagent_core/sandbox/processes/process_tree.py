"""What a process tree uses, read from /proc.

In a namespace of its own a child can leave its parent but not the tree: orphans go to the first
process of the namespace. So a walk from there finds every process.
"""

import os
from contextlib import suppress
from dataclasses import dataclass

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class TreeUsage:
    """How many processes there are and how much memory they hold that is theirs alone."""

    processes: int
    memory_bytes: int


def list_pids_below(root: int, count_max: int) -> list[int]:
    """List a process and its descendants, at most `count_max` of them."""
    found = [root]
    for pid in found:
        if len(found) >= count_max:
            break
        found.extend(list_child_pids(pid))
    return found[:count_max]


def list_child_pids(pid: int) -> list[int]:
    """List the children of every thread of a process."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - hot path
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as names:  # noqa: PTH123
                found.extend(int(name) for name in names.read().split())
    return found


def measure_tree(root: int, processes_max: int) -> TreeUsage:
    """Measure a tree; one too many is counted, so that the caller sees the excess."""
    pids = list_pids_below(root, processes_max + 2)
    # The first is the namespace's own, not the command's.
    return TreeUsage(len(pids) - 1, sum(_read_anonymous_bytes(pid) for pid in pids))


def is_gone(pid: int) -> bool:
    """Say whether a process has ended: one that nobody has waited for has no memory either."""
    with suppress(OSError), open(f"/proc/{pid}/statm") as numbers:  # noqa: PTH123 - hot path
        return numbers.read().startswith("0 ")
    return True


def _read_anonymous_bytes(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm") as numbers:  # noqa: PTH123
        _, resident, shared, *_ = numbers.read().split()
        return max(0, int(resident) - int(shared)) * _PAGE_BYTES
    return 0
