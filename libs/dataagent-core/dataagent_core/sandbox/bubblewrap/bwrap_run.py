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
from dataagent_core.sandbox.bubblewrap.shown_folders import find_shown_masks
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

_HINT = "`dataagent doctor` shows what is missing; docs/sandbox.md says how to get it."


class StatusPipe:
    """Reads the first process's number, and at the end the exit code."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._has_line = asyncio.Event()
        self.pipe = IncomingPipe(self._add)

    def _add(self, data: bytes) -> None:
        self._text += data
        if b"\n" in self._text:
            self._has_line.set()

    async def first_pid(self) -> int | None:
        """Wait for the first process; None when bubblewrap gave up before."""
        ended = asyncio.ensure_future(self.pipe.wait_for_end())
        has_line = asyncio.ensure_future(self._has_line.wait())
        try:
            await asyncio.wait({ended, has_line}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            has_line.cancel()
        return self._find_value("child-pid")

    def exit_code(self) -> int | None:
        """Give the command's exit code; None when it never began."""
        return self._find_value("exit-code")

    def _find_value(self, key: str) -> int | None:
        for line in bytes(self._text).splitlines():
            with suppress(json.JSONDecodeError):
                report = json.loads(line)
                if key in report:
                    return int(report[key])
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

    def start_command(self, go: int) -> None:
        """Let the command begin."""
        os.write(go, b"1")

    def kill(self) -> None:
        """End every process inside. A descriptor cannot hit a later process of the same number."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    async def wait_for_end(self) -> int | None:
        """Wait for the end; give the command's exit code, None when it never began."""
        await self._outer.wait()
        await self._status.pipe.wait_for_end()
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
    """Holds the resources of one run; `close` releases all of them, however the run ended."""

    def __init__(self, base: SandboxBase, capture: OutputCapture) -> None:
        self._base = base
        self._capture = capture
        self._closing = AsyncExitStack()
        self._namespace: RunningNamespace | None = None
        self._cgroup: Cgroup | None = None
        # Protected names that did not exist when it started or was resumed.
        self._missing: list[str] = []
        self._is_frozen = False
        self._denied: frozenset[PathMask] = frozenset()
        self._layer: LookLayer | None = None
        # The folders it can write, open.
        self._growing_fds: tuple[int, ...] = ()
        self._looks = False
        self._began = time.monotonic()

    @property
    def namespace(self) -> RunningNamespace:
        """Give the running namespace."""
        assert self._namespace is not None
        return self._namespace

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
        """Wait for the end of the command, or kill it at a limit."""
        limits = self._base.options.limits
        watchdog = Watchdog(self.namespace.first_pid, self._growing_fds, limits)
        reason = await wait_for_stop_reason(
            self.namespace.wait_for_end(),
            timeout_s,
            watchdog.wait_for_excess(),
            self._capture.wait_for_flood(),
        )
        return await self.finish(reason)

    async def is_covered(self) -> bool:
        """Say whether all that is denied or protected now was covered when this run began.

        A file that is replaced outside loses its cover, so a new one at its path is not covered.
        """
        return await asyncio.to_thread(self._is_covered)

    def _is_covered(self) -> bool:
        workspace_fd = self._base.workspace_fd
        if list_missing_names(workspace_fd, self._missing) != self._missing:
            return False  # a person created one meanwhile, and the run could write it
        options = self._base.options
        now = (*options.find_masks(workspace_fd), *find_shown_masks(options.shown))
        return self._denied.issuperset(now)

    async def rename_refused_names(self) -> list[str]:
        """Rename what was created under protected names, and list it; later names are not ours."""
        self._is_frozen = True
        return await run_to_completion(asyncio.to_thread(self._rename_created_names))

    def resume(self) -> None:
        """Watch protected names again."""
        self._is_frozen = False

    async def list_writes(self) -> tuple[str, ...]:
        """List what a look wrote into its layer."""
        if self._layer is None:
            return ()
        return await asyncio.to_thread(self._layer.list_writes, self._base.workspace_fd)

    async def finish(self, reason: KilledReason | None) -> CommandResult:
        """Kill if there is a reason to, and say how it ended."""
        if reason is not None:
            self.namespace.kill()
        exit_code = await self.namespace.wait_for_end()
        if reason is None and self._cgroup is not None and self._cgroup.ran_out_of_memory():
            reason = "memory"
        await self._capture.drain()
        stdout, stderr = self._capture.outputs()
        if exit_code is None and reason is None:
            message = stderr.data.decode(errors="replace").strip()
            raise SandboxUnavailableError(f"The sandbox could not be set up: {message}. {_HINT}")
        return CommandResult(
            exit_code=None if reason else exit_code,
            stdout=stdout,
            stderr=stderr,
            duration_s=time.monotonic() - self._began,
            killed_reason=reason,
            notes=() if self._is_frozen else tuple(await self.rename_refused_names()),
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
            asyncio.to_thread(prepare_run, self._base, request, status.pipe.child_end, files)
        )
        self._missing, self._layer = prepared.missing, prepared.layer
        self._denied = prepared.denied
        self._growing_fds = prepared.growing_fds
        launch = LaunchRequest(
            program=self._base.bwrap.path,
            args=prepared.args,
            descriptors=prepared.descriptors,
            stdin=prepared.stdin if stdin is None else stdin,
            stdout=self._capture.stdout.child_end,
            stderr=self._capture.stderr.child_end,
            user=self._base.options.run_as,
            limits=self._base.options.limits,
        )
        if self._base.cgroup_parent is not None:
            self._cgroup = Cgroup.make(self._base.cgroup_parent, launch.limits)
            self._closing.callback(self._cgroup.remove)
        await self._capture.open()
        # Finished even when cancelled: only then is it known which process to kill.
        await run_to_completion(self._launch(launch, status))
        self._capture.close_child_ends()
        if request.network == "hosts":
            await self._serve(egress)
        self.namespace.start_command(prepared.go)

    async def _launch(self, request: LaunchRequest, status: StatusPipe) -> None:
        try:
            self._namespace = await launch_bwrap(request, status)
            self._closing.push_async_callback(self._namespace.close)
            if self._cgroup is not None:
                self._cgroup.add(self._namespace.first_pid)
        except (SandboxUnavailableError, TimeoutError, OSError) as error:
            self._capture.close_child_ends()
            await self._capture.drain()
            message = self._capture.outputs()[1].data.decode(errors="replace").strip()
            raise SandboxUnavailableError(
                f"The sandbox did not start: {message or error or 'no answer'}. {_HINT}"
            ) from error

    async def _serve(self, egress: EgressPolicy) -> None:
        proxy = EgressProxy(egress)
        await proxy.serve(await open_namespace_listener(self.namespace.first_pid))
        self._closing.push_async_callback(proxy.close)

    def _rename_created_names(self) -> list[str]:
        refused = rename_created_names(self._base.workspace_fd, self._missing)
        self._missing = list_missing_names(self._base.workspace_fd, self._missing)
        return refused


async def launch_bwrap(request: LaunchRequest, status: StatusPipe) -> RunningNamespace:
    """Start bubblewrap and set the limits; the command waits for `start_command`."""
    await status.pipe.open()
    before = [] if request.user is None else build_rlimit_command(request.limits)
    process = subprocess.Popen(  # noqa: ASYNC220, S603 (as asyncio does; `LaunchRequest` is ours)
        [*before, request.program, *request.args],
        stdin=request.stdin,
        stdout=request.stdout,
        stderr=request.stderr,
        pass_fds=tuple(request.descriptors),
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        # Ctrl-C in a terminal is for us, not for bubblewrap.
        start_new_session=True,
        user=request.user,
        group=request.user,
        extra_groups=None if request.user is None else [],
    )
    outer = ChildProcess(process)
    try:
        return await _open_namespace(request, status, outer)
    except BaseException:
        _kill_now(outer)
        # Also when cancelled: whoever comes back finds no process of ours left.
        await run_to_completion(outer.wait())
        raise


async def _open_namespace(
    request: LaunchRequest, status: StatusPipe, outer: ChildProcess
) -> RunningNamespace:
    status.pipe.close_child_end()
    async with asyncio.timeout(SANDBOX_START_S):
        first_pid = await status.first_pid()
    if first_pid is None:
        await outer.wait()
        raise SandboxUnavailableError("bubblewrap ended before it made a namespace")
    if request.user is None:
        apply_rlimits(first_pid, request.limits)
    # The watchdog has priority over the command.
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, first_pid, SANDBOX_NICE)
    return RunningNamespace(outer, first_pid, status)


async def _wait_or_kill(outer: ChildProcess) -> None:
    try:
        async with asyncio.timeout(SANDBOX_KILL_WAIT_S):
            await outer.wait()
    except TimeoutError:
        _kill_now(outer)
        await outer.wait()


def _kill_now(outer: ChildProcess) -> None:
    # Its group: until the command begins, its child is in it and would wait forever.
    with suppress(ProcessLookupError):
        os.killpg(outer.pid, signal.SIGKILL)
