"""However a command ends, nothing of it is left: no process, no zombie, no descriptor."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest
from leftovers import Leftovers
from sandboxes import new_mark, processes_with, text, zombies_of

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap import bwrap_run
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.sandbox_base import SCRATCH_PREFIX
from dataagent_core.sandbox.files.locked_folder import sweep_locked_folders
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.port import StreamName

GONE_S_MAX = 60.0


class Told:
    """Waits until a command has said something."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    def __call__(self, name: StreamName, data: bytes) -> None:
        self.heard.set()


def detached(mark: str) -> str:
    return f"setsid sleep {mark} & nohup sleep {mark} & (sleep {mark} &) ; echo started;"


@pytest.mark.requirement("F3-escapes")
@pytest.mark.requirement("F3-4")
async def test_children_that_start_a_session_of_their_own_end_with_the_time_out(
    sandbox: BwrapSandbox,
):
    mark, told = new_mark(), Told()
    run = asyncio.create_task(
        sandbox.run(detached(mark) + f"sleep {mark}", timeout_s=0.5, on_output=told)
    )
    await told.heard.wait()
    assert processes_with(mark)
    done = await run
    assert done.timed_out
    assert done.exit_code is None
    assert processes_with(mark) == []
    assert zombies_of(os.getpid()) == []


async def test_children_left_behind_by_a_command_end_with_it(sandbox: BwrapSandbox):
    mark = new_mark()
    done = await sandbox.run(detached(mark))
    assert (done.exit_code, text(done)) == (0, "started\n")
    assert processes_with(mark) == []
    assert zombies_of(os.getpid()) == []


async def test_a_tree_of_fifty_processes_is_gone_at_once(sandbox: BwrapSandbox):
    mark, told = new_mark(), Told()
    tree = f"for i in $(seq 50); do setsid sleep {mark} & done; echo started; wait"
    run = asyncio.create_task(sandbox.run(tree, on_output=told))
    await told.heard.wait()
    assert len(processes_with(mark)) >= 50
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert processes_with(mark) == []


async def test_a_cancelled_run_leaves_no_process_and_no_descriptor(
    sandbox: BwrapSandbox, tmp_path: Path
):
    await sandbox.run("true")
    left = Leftovers()
    delays = (0.0, 0.001, 0.005, 0.02)
    # Once, or twice at once and a moment apart.
    for delay, *again in [*product(delays), *product(delays, (0.0, 0.001, 0.005))]:
        mark = new_mark()
        run = asyncio.create_task(sandbox.run(f"setsid sleep {mark} & sleep {mark}"))
        await asyncio.sleep(delay)  # cancelled in each phase of its start
        run.cancel()
        for pause in again:
            await asyncio.sleep(pause)
            run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert processes_with(mark) == []
        assert zombies_of(os.getpid()) == []
    await left.is_nothing()
    assert not list(tmp_path.glob("dataagent-sandbox-*/work-*"))


async def test_closing_the_sandbox_ends_what_runs_in_it(workspace: Path, tmp_path: Path):
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path)
    mark, told = new_mark(), Told()
    run = asyncio.create_task(sandbox.run(detached(mark) + f"sleep {mark}", on_output=told))
    await told.heard.wait()
    await sandbox.aclose()
    assert processes_with(mark) == []
    await asyncio.gather(run, return_exceptions=True)


HOST = """
import asyncio, sys
from pathlib import Path
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox

async def main():
    sandbox = await BwrapSandbox.open(Path(sys.argv[1]))
    await sandbox.run(sys.argv[2], on_output=lambda name, data: print("up", flush=True))

asyncio.run(main())
"""


def test_a_command_ends_when_our_process_is_killed(workspace: Path):
    mark = new_mark()
    command = detached(mark) + f"sleep {mark}"
    with subprocess.Popen(
        [sys.executable, "-c", HOST, str(workspace), command], stdout=subprocess.PIPE
    ) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"up\n"
        assert processes_with(mark)
        host.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + GONE_S_MAX
    while processes_with(mark) and time.monotonic() < deadline:
        os.sched_yield()
    assert processes_with(mark) == []


def test_what_a_killed_process_left_on_disk_is_removed_by_the_next(tmp_path: Path):
    left = tmp_path / "dataagent-sandbox-left"
    left.mkdir()
    fresh = tmp_path / "dataagent-sandbox-fresh"
    fresh.mkdir()
    os.utime(left, (0, 0))
    sweep_locked_folders(tmp_path, SCRATCH_PREFIX)
    assert fresh.exists()
    assert not left.exists()


async def test_what_a_living_sandbox_keeps_on_disk_stays(
    sandbox: BwrapSandbox, workspace: Path, tmp_path: Path
):
    other = await BwrapSandbox.open(workspace, scratch=tmp_path)
    await other.aclose()
    assert (await sandbox.run("true")).exit_code == 0


async def test_a_start_that_fails_half_way_leaves_no_process(
    sandbox: BwrapSandbox, monkeypatch: pytest.MonkeyPatch
):
    def refuse(pid: int, limits: CommandLimits) -> None:
        raise PermissionError(pid)

    monkeypatch.setattr(bwrap_run, "apply_rlimits", refuse)
    mark = new_mark()
    with pytest.raises(SandboxUnavailableError):
        await sandbox.run(f"sleep {mark}")
    assert processes_with(mark) == []


async def test_the_exit_code_is_the_commands(sandbox: BwrapSandbox):
    assert (await sandbox.run("exit 7")).exit_code == 7
    assert (await sandbox.run("kill -9 $$")).exit_code == 137
    assert (await sandbox.run(["no-such-program"])).exit_code == 127
    assert (await sandbox.run(["echo", "a b", "$HOME"])).stdout.data == b"a b $HOME\n"
