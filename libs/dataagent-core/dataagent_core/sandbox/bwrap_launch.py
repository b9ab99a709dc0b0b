"""Start bubblewrap, set limits before the command begins, and end the whole tree for certain.

bubblewrap says on a pipe which process is the first of the new namespace and then waits for us.
That process is killed to end everything: the kernel then ends the rest of the namespace, and
bubblewrap outside reaps it. Killing bubblewrap itself would leave zombies.
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
from dataagent_core.sandbox.bwrap_status import StatusPipe
from dataagent_core.sandbox.child import Child
from dataagent_core.sandbox.finishing import to_the_end
from dataagent_core.sandbox.run_limits import RunLimits, apply_rlimits, rlimit_words


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, with which descriptors, and as whom."""

    program: str
    args: Sequence[str]
    descriptors: Sequence[int]
    stdin: int
    stdout: int
    stderr: int
    user: int | None
    limits: RunLimits


class Launched:
    """A running namespace."""

    def __init__(self, outer: Child, first_pid: int, status: StatusPipe) -> None:
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
            await to_the_end(_ended(self._outer))
        finally:
            self._status.pipe.close()
            os.close(self._pidfd)


async def launch(what: Launch, status: StatusPipe) -> Launched:
    """Start bubblewrap and set the limits; the command waits for `let_go`."""
    await status.pipe.open()
    before = [] if what.user is None else rlimit_words(what.limits)
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
    outer = Child(process)
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
        launched = Launched(outer, first_pid, status)
        undo.pop_all()
        return launched


async def _ended(outer: Child) -> None:
    try:
        async with asyncio.timeout(SANDBOX_KILL_WAIT_S):
            await outer.wait()
    except TimeoutError:
        _kill_now(outer)
        await outer.wait()


def _kill_now(outer: Child) -> None:
    # Its group: until the command begins its child is in it, and would wait for ever.
    with suppress(ProcessLookupError):
        os.killpg(outer.pid, signal.SIGKILL)
