"""Stopping a tree of processes: also those that wait for a child to run its program."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dataagent_core.sandbox.processes.process_tree import freeze_tree, list_child_pids, thaw_tree

# The child of `posix_spawn` opens the pipe before it runs its program; the parent sleeps so long.
SPAWNS = """
import os, sys
opened = [(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)]
child = os.posix_spawn("/bin/sleep", ["sleep", "60"], {}, file_actions=opened)
open(sys.argv[2], "w").close()
os.waitpid(child, 0)
"""


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[int]:
    """A process whose child has not yet run its program."""
    os.mkfifo(tmp_path / "pipe")
    arguments = [sys.executable, "-c", SPAWNS, tmp_path / "pipe", tmp_path / "spawned"]
    process = subprocess.Popen(arguments, start_new_session=True)
    try:
        wait_for(lambda: list_child_pids(process.pid) and state(process.pid) == "D")
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_parent_that_waits_for_a_stopped_child_is_stopped(parent: int, tmp_path: Path):
    [child] = list_child_pids(parent)
    os.kill(child, signal.SIGSTOP)
    wait_for(lambda: state(child) == "T")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        assert freeze_tree(parent, 100)
        assert (state(parent), state(child)) == ("T", "T")
        assert not (tmp_path / "spawned").exists()
        thaw_tree(parent, 100)
        wait_for((tmp_path / "spawned").exists)
    finally:
        os.close(writer)


def test_a_parent_that_cannot_be_stopped_is_said_to_run(
    parent: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_core.sandbox.processes.process_tree.SANDBOX_FREEZE_S", 0.3)
    assert not freeze_tree(parent, 100)
