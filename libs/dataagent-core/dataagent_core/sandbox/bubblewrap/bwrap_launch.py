"""Starts bubblewrap, sets limits before the command begins, and ends the whole process tree.

bubblewrap reports the first process of the new namespace on a pipe and waits for us. Killing that
process ends the namespace, and bubblewrap reaps it; killing bubblewrap itself would leave zombies.
`ChildProcess` uses `subprocess` under every event loop: uvloop cannot change the user and leaves
descriptors open that a sandbox must not see.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from dataagent_core.config.limits import SANDBOX_KILL_WAIT_S, SANDBOX_NICE, SANDBOX_START_S
from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.status_pipe import StatusPipe
from dataagent_core.sandbox.limits.command_limits import (
    CommandLimits,
    apply_rlimits,
    build_rlimit_command,
)
from dataagent_core.sandbox.processes.completion import run_to_completion


class ChildProcess:
    """A started process whose pipes, if it has any, are somebody else's."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Watch a process that was just started, from the running loop."""
        self.pid = process.pid
        self._process = process
        self._ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._pidfd = os.pidfd_open(process.pid)
        self._loop.add_reader(self._pidfd, self._reap)

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.returncode

    async def wait(self) -> None:
        """Wait for the end."""
        await self._ended.wait()

    def _reap(self) -> None:
        self._loop.remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._process.wait()
        self._ended.set()


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """What is started, with which descriptors, and as whom."""

    program: str
    args: Sequence[str]
    descriptors: Sequence[int]
    stdin: int
    stdout: int
    stderr: int
    user: int | None
    limits: CommandLimits


class RunningNamespace:
    """A running namespace."""

    def __init__(self, outer: ChildProcess, first_pid: int, status: StatusPipe) -> None:
        self.first_pid = first_pid
        self._outer = outer
        self._status = status
        self._pidfd = os.pidfd_open(first_pid)

    @property
    def alive(self) -> bool:
        """Say whether bubblewrap has not ended yet."""
        return self._outer.returncode is None

    def let_go(self, go: int) -> None:
        """Let the command begin."""
        os.write(go, b"1")

    def kill(self) -> None:
        """End every process inside. A descriptor cannot hit a later process of the same number."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    async def ended(self) -> int | None:
        """Wait for the end; give the command's exit code, None when it never began."""
        await self._outer.wait()
        await self._status.pipe.ended()
        return self._status.exit_code()

    async def close(self) -> None:
        """End it if need be, and leave neither process nor descriptor behind."""
        try:
            self.kill()
            await run_to_completion(_ended(self._outer))
        finally:
            self._status.pipe.close()
            os.close(self._pidfd)


async def launch_bwrap(what: LaunchRequest, status: StatusPipe) -> RunningNamespace:
    """Start bubblewrap and set the limits; the command waits for `let_go`."""
    await status.pipe.open()
    before = [] if what.user is None else build_rlimit_command(what.limits)
    process = subprocess.Popen(  # noqa: ASYNC220, S603 (as asyncio does; `Launch` is ours)
        [*before, what.program, *what.args],
        stdin=what.stdin,
        stdout=what.stdout,
        stderr=what.stderr,
        pass_fds=tuple(what.descriptors),
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        # Ctrl-C in a terminal is for us, not for bubblewrap.
        start_new_session=True,
        user=what.user,
        group=what.user,
        extra_groups=None if what.user is None else [],
    )
    outer = ChildProcess(process)
    with ExitStack() as undo:
        undo.callback(_kill_now, outer)
        status.pipe.close_child_end()
        async with asyncio.timeout(SANDBOX_START_S):
            first_pid = await status.first_pid()
        if first_pid is None:
            await outer.wait()
            raise SandboxUnavailableError("bubblewrap ended before it made a namespace")
        if what.user is None:
            apply_rlimits(first_pid, what.limits)
        # Whatever a command does, whoever watches it comes first.
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, first_pid, SANDBOX_NICE)
        launched = RunningNamespace(outer, first_pid, status)
        undo.pop_all()
        return launched


async def _ended(outer: ChildProcess) -> None:
    try:
        async with asyncio.timeout(SANDBOX_KILL_WAIT_S):
            await outer.wait()
    except TimeoutError:
        _kill_now(outer)
        await outer.wait()


def _kill_now(outer: ChildProcess) -> None:
    # Its group: until the command begins its child is in it, and would wait for ever.
    with suppress(ProcessLookupError):
        os.killpg(outer.pid, signal.SIGKILL)
