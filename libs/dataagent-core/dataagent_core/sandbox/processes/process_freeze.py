"""Stops and resumes every process of a namespace.

A stopped process does nothing, all its threads included, until it is continued. The seccomp filter
refuses what would let the kernel itself send SIGCONT later (timers and files with a signal of
one's choice), and only a process that runs could send it: so when all are stopped, all stay so.

A process that called `vfork` sleeps uninterruptibly until its child runs another program. When the
child is stopped before that, the parent cannot stop either: the child is let go on for a moment.
Shells and `subprocess` start everything that way.
"""

import os
import signal
import time
from contextlib import suppress

from dataagent_core.config.limits import SANDBOX_FREEZE_S
from dataagent_core.sandbox.processes.process_tree import list_child_pids, list_pids_below

# Stopped, traced, a zombie, dead: none of these does anything.
_AT_REST = frozenset("TtZXx")
_UNINTERRUPTIBLE = "D"
_PAUSE_S = 0.001
# On a busy machine a child needs longer until it has run another program.
_PAUSE_MAX_S = 0.064


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
