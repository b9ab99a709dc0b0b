"""`UnsafeHostShell`: the same port without isolation, for one person in the CLI who chose it.

The command sees what the person sees. Time and output are bounded and its process group is killed;
a child that starts a session of its own escapes that. `/a.txt` is the host's, `a.txt` the
workspace's.
"""

import asyncio
import os
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Unpack
from uuid import uuid4

from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.port import Command, CommandResult, KilledReason, RunOptions
from dataagent_core.sandbox.processes.bash_command import build_bash_command, drop_bash_settings
from dataagent_core.sandbox.processes.completion import run_to_completion, wait_for_stop_reason
from dataagent_core.sandbox.processes.output_capture import OutputCapture
from dataagent_core.sandbox.processes.run_request import RunRequest

_SIGNAL_BASE = 128


class UnsafeHostShell:
    """Runs commands on the host as the person would."""

    def __init__(self, workspace: Path, limits: CommandLimits | None = None) -> None:
        self._workspace = workspace
        self._limits = limits or CommandLimits()
        self._running: set[asyncio.subprocess.Process] = set()
        self.id = f"host-{uuid4().hex[:12]}"

    async def run(self, command: Command, **options: Unpack[RunOptions]) -> CommandResult:
        """Run a command to its end, its time-out or too much output."""
        request = RunRequest(command, **options)
        if request.network not in (None, "full"):
            raise ValidationError("On the host a command has its network: leave `network` out.")
        capture = OutputCapture(self._limits, request.on_output)
        began = time.monotonic()
        try:
            await capture.open()
            process = await self._start(request, capture)
            reason = await self._wait(process, request.timeout_s, capture)
            await capture.drain()
        finally:
            capture.close()
        stdout, stderr = capture.outputs()
        return CommandResult(
            exit_code=None if reason else _exit_code(process.returncode or 0),
            stdout=stdout,
            stderr=stderr,
            duration_s=time.monotonic() - began,
            killed_reason=reason,
        )

    async def aclose(self) -> None:
        """End what still runs."""
        for process in list(self._running):
            _kill_group(process)
            await process.wait()

    async def _start(
        self, request: RunRequest, capture: OutputCapture
    ) -> asyncio.subprocess.Process:
        command = request.command
        words = build_bash_command(command) if isinstance(command, str) else command
        with tempfile.TemporaryFile() as feed:
            feed.write(request.stdin)
            feed.seek(0)
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=feed,
                stdout=capture.stdout.child_end,
                stderr=capture.stderr.child_end,
                cwd=self._workspace.joinpath(*PurePosixPath("/", request.cwd).parts[1:]),
                env=drop_bash_settings({**os.environ, **request.env}),
                start_new_session=True,
            )
        self._running.add(process)
        capture.close_child_ends()
        return process

    async def _wait(
        self, process: asyncio.subprocess.Process, timeout_s: float, capture: OutputCapture
    ) -> KilledReason | None:
        try:
            return await wait_for_stop_reason(process.wait(), timeout_s, capture.wait_for_flood())
        finally:
            self._running.discard(process)
            _kill_group(process)
            await run_to_completion(process.wait())


def _kill_group(process: asyncio.subprocess.Process) -> None:
    # The group outlives its leader as long as a child is in it.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _exit_code(returncode: int) -> int:
    return returncode if returncode >= 0 else _SIGNAL_BASE - returncode
