"""The process tree of a command: what it uses, read from /proc; stopping and resuming it.

In a namespace of its own a child can leave its parent but not the tree: orphans go to the first
process of the namespace. So a walk from there finds every process.

A stopped process does nothing, all its threads included, until it is continued. The seccomp filter
refuses what would let the kernel itself send SIGCONT later (timers and files with a signal of
one's choice), and only a process that runs could send it: so when all are stopped, all stay so.

A process that called `vfork` sleeps uninterruptibly until its child runs another program. When the
child is stopped before that, the parent cannot stop either: the child is continued for a moment.
Shells and `subprocess` start everything that way.
"""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

from dataagent_core.config.limits import SANDBOX_FREEZE_S

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# Stopped, traced, a zombie, dead: none of these does anything.
_AT_REST = frozenset("TtZXx")
_UNINTERRUPTIBLE = "D"
_PAUSE_S = 0.001
# On a busy machine a child needs longer until it has run another program.
_PAUSE_MAX_S = 0.064


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


def freeze_tree(first_pid: int, processes_max: int) -> bool:
    """Stop a process and everything below it; False if they could not be brought to rest."""
    deadline_s = time.monotonic() + SANDBOX_FREEZE_S
    pause_s = _PAUSE_S
    before: set[int] = set()
    while time.monotonic() < deadline_s:
        pids = list_pids_below(first_pid, processes_max)
        states = {pid: _read_states(pid) for pid in pids}
        running = [pid for pid in pids if not states[pid] <= _AT_REST]
        # One that was forked while the list was made shows in the next.
        if not running and before == set(pids):
            return True
        before = set(pids)
        _send_signal(running, signal.SIGSTOP)
        for pid in running:
            if _UNINTERRUPTIBLE in states[pid]:
                _send_signal(list_child_pids(pid), signal.SIGCONT)
        if running:
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _PAUSE_MAX_S)
    return False


def thaw_tree(first_pid: int, processes_max: int) -> None:
    """Resume a process and everything below it."""
    _send_signal(list_pids_below(first_pid, processes_max), signal.SIGCONT)


def _send_signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _read_states(pid: int) -> set[str]:
    """Read the state of every thread: one that is on its way to stop may still write."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - hot path
        return {_read_state(f"/proc/{pid}/task/{thread}/stat") for thread in threads}
    except OSError:
        return {"X"} if not os.path.exists(f"/proc/{pid}") else {"R"}  # noqa: PTH110 - hot path


def _read_state(path: str) -> str:
    try:
        with open(path, "rb") as numbers:  # noqa: PTH123 - hot path
            # The name before it may hold anything, parentheses and spaces too.
            return numbers.read().rpartition(b") ")[2][:1].decode()
    except FileNotFoundError:
        return "X"
