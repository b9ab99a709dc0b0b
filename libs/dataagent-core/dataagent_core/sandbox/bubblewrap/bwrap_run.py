"""One run in a namespace of its own, from its start to the end of its last process.

bubblewrap reports the first process of the new namespace on a pipe and waits for us to set limits.
Killing that process ends the namespace, and bubblewrap reaps it; killing bubblewrap itself would
leave zombies. `ChildProcess` uses `subprocess` under every event loop: uvloop cannot change the
user and leaves descriptors open that a sandbox must not see.
"""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass

from dataagent_core.config.limits import SANDBOX_KILL_WAIT_S, SANDBOX_NICE, SANDBOX_START_S
from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.look_layer import LookLayer
from dataagent_core.sandbox.bubblewrap.protected_entries import (
    list_missing_names,
    rename_created_names,
)
from dataagent_core.sandbox.bubblewrap.run_preparation import prepare_run
from dataagent_core.sandbox.bubblewrap.sandbox_base import SandboxBase
from dataagent_core.sandbox.limits.cgroup import Cgroup
from dataagent_core.sandbox.limits.command_limits import (
    CommandLimits,
    apply_rlimits,
    build_rlimit_command,
)
from dataagent_core.sandbox.limits.watchdog import Watchdog
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.network.namespace_listener import open_namespace_listener
from dataagent_core.sandbox.network.proxy import EgressProxy
from dataagent_core.sandbox.paths.path_masks import PathMask
from dataagent_core.sandbox.port import CommandResult, KilledReason
from dataagent_core.sandbox.processes.completion import run_to_completion, wait_for_stop_reason
from dataagent_core.sandbox.processes.output_capture import OutputCapture
from dataagent_core.sandbox.processes.process_pipes import IncomingPipe
from dataagent_core.sandbox.processes.run_request import RunRequest

_WAY_OUT = "`dataagent doctor` shows what is missing; docs/sandbox.md says how to get it."


class StatusPipe:
    """Reads the first process's number, and at the end the exit code."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._told = asyncio.Event()
        self.pipe = IncomingPipe(self._add)

    def _add(self, data: bytes) -> None:
        self._text += data
        if b"\n" in self._text:
            self._told.set()

    async def first_pid(self) -> int | None:
        """Wait for the first process; None when bubblewrap gave up before."""
        ended = asyncio.ensure_future(self.pipe.ended())
        told = asyncio.ensure_future(self._told.wait())
        try:
            await asyncio.wait({ended, told}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            told.cancel()
        return self._value("child-pid")

    def exit_code(self) -> int | None:
        """Give the command's exit code; None when it never began."""
        return self._value("exit-code")

    def _value(self, key: str) -> int | None:
        for line in bytes(self._text).splitlines():
            with suppress(json.JSONDecodeError):
                told = json.loads(line)
                if key in told:
                    return int(told[key])
        return None


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
            await run_to_completion(_wait_or_kill(self._outer))
        finally:
            self._status.pipe.close()
            os.close(self._pidfd)


class BwrapRun:
    """Holds everything of one run; `close` gives all of it back, however the run ended."""

    def __init__(self, ground: SandboxBase, capture: OutputCapture) -> None:
        self._ground = ground
        self._capture = capture
        self._closing = AsyncExitStack()
        self._launched: RunningNamespace | None = None
        self._cgroup: Cgroup | None = None
        # Protected names that nobody had when it started, or went on.
        self._missing: list[str] = []
        self._is_frozen = False
        self._denied: frozenset[PathMask] = frozenset()
        self._layer: LookLayer | None = None
        # The folders it can write.
        self._grows: tuple[int, ...] = ()
        self._looks = False
        self._began = time.monotonic()

    @property
    def launched(self) -> RunningNamespace:
        """Give the running namespace."""
        assert self._launched is not None
        return self._launched

    @property
    def looks(self) -> bool:
        """Say whether nothing it writes stays."""
        return self._looks

    def pause_output(self, to: bool) -> None:  # noqa: FBT001 - what is to be
        """Let the command wait when it writes, or go on."""
        self._capture.stdout.pause(to)

    async def begin(
        self, request: RunRequest, egress: EgressPolicy, stdin: int | None = None
    ) -> None:
        """Start the command; on any failure nothing is left behind."""
        try:
            await self._begin(request, egress, stdin)
        except BaseException:
            await self.close()
            raise

    async def supervise(self, timeout_s: float | None) -> CommandResult:
        """Wait for the end, or bring it about."""
        limits = self._ground.wishes.limits
        watchdog = Watchdog(self.launched.first_pid, self._grows, limits)
        reason = await wait_for_stop_reason(
            self.launched.ended(), timeout_s, watchdog.first_excess(), self._capture.flooded()
        )
        return await self.finish(reason)

    async def is_covered(self) -> bool:
        """Say whether all that is denied or protected by now was covered when this run began.

        A file that is replaced outside sheds its cover, so another one at its path is not covered.
        """
        return await asyncio.to_thread(self._is_covered)

    def _is_covered(self) -> bool:
        workspace_fd = self._ground.workspace_fd
        if list_missing_names(workspace_fd, self._missing) != self._missing:
            return False  # a person made one meanwhile, and it could be written
        return self._denied.issuperset(self._ground.wishes.find_masks(workspace_fd))

    async def pause_processes(self) -> list[str]:
        """Say what was created under protected names and renamed; what comes now is others'."""
        self._is_frozen = True
        return await run_to_completion(asyncio.to_thread(self._notes))

    def go_on(self) -> None:
        """Answer again for what is created."""
        self._is_frozen = False

    async def writes(self) -> tuple[str, ...]:
        """Name what a looking command wrote into its layer."""
        if self._layer is None:
            return ()
        return await asyncio.to_thread(self._layer.writes, self._ground.workspace_fd)

    async def finish(self, reason: KilledReason | None) -> CommandResult:
        """Kill if there is a reason to, and say how it ended."""
        if reason is not None:
            self.launched.kill()
        exit_code = await self.launched.ended()
        if reason is None and self._cgroup is not None and self._cgroup.ran_out_of_memory():
            reason = "memory"
        await self._capture.drained()
        stdout, stderr = self._capture.outputs()
        if exit_code is None and reason is None:
            said = stderr.data.decode(errors="replace").strip()
            raise SandboxUnavailableError(f"The sandbox could not be set up: {said}. {_WAY_OUT}")
        return CommandResult(
            exit_code=None if reason else exit_code,
            stdout=stdout,
            stderr=stderr,
            duration_s=time.monotonic() - self._began,
            killed_reason=reason,
            notes=() if self._is_frozen else tuple(await self.pause_processes()),
        )

    async def close(self) -> None:
        """End what still runs and close what is open."""
        await self._closing.aclose()

    async def _begin(self, request: RunRequest, egress: EgressPolicy, stdin: int | None) -> None:
        files = self._closing.enter_context(ExitStack())
        self._closing.callback(self._capture.close)
        status = StatusPipe()
        self._closing.callback(status.pipe.close)
        self._looks = request.looks is not None
        prepared = await run_to_completion(
            asyncio.to_thread(prepare_run, self._ground, request, status.pipe.child_end, files)
        )
        self._missing, self._layer = prepared.missing, prepared.layer
        self._denied = prepared.denied
        self._grows = prepared.grows
        what = LaunchRequest(
            program=self._ground.bwrap.path,
            args=prepared.args,
            descriptors=prepared.descriptors,
            stdin=prepared.stdin if stdin is None else stdin,
            stdout=self._capture.stdout.child_end,
            stderr=self._capture.stderr.child_end,
            user=self._ground.wishes.run_as,
            limits=self._ground.wishes.limits,
        )
        if self._ground.cgroup_parent is not None:
            self._cgroup = Cgroup.make(self._ground.cgroup_parent, what.limits)
            self._closing.callback(self._cgroup.remove)
        await self._capture.open()
        # To the end also when cancelled: only then is it known which process to kill.
        await run_to_completion(self._launch(what, status))
        self._capture.started()
        if request.network == "hosts":
            await self._serve(egress)
        self.launched.let_go(prepared.go)

    async def _launch(self, what: LaunchRequest, status: StatusPipe) -> None:
        try:
            self._launched = await launch_bwrap(what, status)
            self._closing.push_async_callback(self._launched.close)
            if self._cgroup is not None:
                self._cgroup.add(self._launched.first_pid)
        except (SandboxUnavailableError, TimeoutError, OSError) as error:
            self._capture.started()
            await self._capture.drained()
            said = self._capture.outputs()[1].data.decode(errors="replace").strip()
            raise SandboxUnavailableError(
                f"The sandbox did not start: {said or error or 'no answer'}. {_WAY_OUT}"
            ) from error

    async def _serve(self, egress: EgressPolicy) -> None:
        proxy = EgressProxy(egress)
        await proxy.serve(await open_namespace_listener(self.launched.first_pid))
        self._closing.push_async_callback(proxy.close)

    def _notes(self) -> list[str]:
        refused = rename_created_names(self._ground.workspace_fd, self._missing)
        self._missing = list_missing_names(self._ground.workspace_fd, self._missing)
        return refused


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


async def _wait_or_kill(outer: ChildProcess) -> None:
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
