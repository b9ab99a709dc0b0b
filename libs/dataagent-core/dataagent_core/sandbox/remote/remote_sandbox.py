"""`RemoteSandbox`: commands on a machine elsewhere, behind our port.

What it isolates is its vendor's affair. Vendors join the streams each in their own way, so they
are joined there already and all output is `stdout`; they end a command that takes too long each in
their own way, so `timeout` there does it. A command whose run is cancelled goes on there until its
time is over or the machine is given back.
"""

import asyncio
import base64
import math
import posixpath
import shlex
import time
from typing import Unpack

from dataagent_core.config.limits import (
    REMOTE_ANSWER_S,
    REMOTE_STDIN_BYTES_MAX,
    SANDBOX_KILL_WAIT_S,
    SANDBOX_OUTPUT_KEPT_BYTES_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import Command, CommandResult, RunOptions, StreamOutput
from dataagent_core.sandbox.processes.bash_command import drop_bash_settings
from dataagent_core.sandbox.processes.output_buffer import OutputBuffer
from dataagent_core.sandbox.processes.run_request import RunRequest
from dataagent_core.sandbox.remote.remote_machine import (
    ReadyMachine,
    RemoteMachine,
    make_unreachable_error,
)
from dataagent_core.sandbox.remote.sandbox_backend import KILLED, TIMED_OUT

# A line is judged as a fresh bash reads it (`sandbox/processes/bash_command.py`), so nothing may be
# read before it.
_FRESH = ("--noprofile", "--norc")
_UNSET = ("-uBASH_ENV", "-uENV", "-uSHELLOPTS", "-uBASHOPTS", "-uPOSIXLY_CORRECT")


class RemoteSandbox:
    """Runs commands on one machine, which is started by the first of them."""

    def __init__(self, machine: RemoteMachine) -> None:
        self._machine = machine

    @property
    def id(self) -> str:
        """Name the machine."""
        return self._machine.name

    async def run(self, command: Command, **options: Unpack[RunOptions]) -> CommandResult:
        """Run a command there."""
        request = RunRequest(command, **options)
        if request.network is not None:
            raise ValidationError("The network of a remote sandbox is set with its vendor.")
        ready = await asyncio.to_thread(self._machine.ready)
        line = command_line(request, ready)
        # The machine ends the command in time; the vendor, then we, only if it does not.
        vendor_s = math.ceil(request.timeout_s + SANDBOX_KILL_WAIT_S) + 1
        began = time.monotonic()
        try:
            async with asyncio.timeout(vendor_s + REMOTE_ANSWER_S):
                response = await ready.backend.aexecute(line, timeout=vendor_s)
        except TimeoutError:
            return CommandResult(
                None, StreamOutput(), StreamOutput(), time.monotonic() - began, "timeout"
            )
        except Exception as error:
            raise make_unreachable_error(self._machine.name, error) from error
        duration_s = time.monotonic() - began
        data = response.output.encode("utf-8", "replace")
        if request.on_output is not None:
            request.on_output("stdout", data)
        timed_out = response.exit_code in {TIMED_OUT, KILLED} and duration_s >= request.timeout_s
        return CommandResult(
            exit_code=None if timed_out else response.exit_code,
            stdout=_kept(data),
            stderr=StreamOutput(),
            duration_s=duration_s,
            killed_reason="timeout" if timed_out else None,
            notes=("the remote sandbox cut the output",) if response.truncated else (),
        )

    async def aclose(self) -> None:
        """Give the machine back."""
        await asyncio.to_thread(self._machine.close)


def command_line(request: RunRequest, ready: ReadyMachine) -> str:
    """Put everything a run needs into one line of shell."""
    if len(request.stdin) > REMOTE_STDIN_BYTES_MAX:
        raise ValidationError(
            f"The input has {len(request.stdin)} bytes, {REMOTE_STDIN_BYTES_MAX} can be sent to a "
            "remote sandbox. Put it into a file."
        )
    command = request.command
    words = [ready.bash, *_FRESH, "-c", command] if isinstance(command, str) else list(command)
    given = [f"{name}={value}" for name, value in drop_bash_settings(request.env).items()]
    limit = ["timeout", "-k", f"{SANDBOX_KILL_WAIT_S:g}", f"{request.timeout_s:g}"]
    words = ["env", *_UNSET, *given, *limit, *words]
    sent = base64.b64encode(request.stdin).decode()
    feed, end = (f"echo {sent} | base64 -d | ", "") if sent else ("", " < /dev/null")
    folder = posixpath.join(ready.home, request.cwd.strip("/")).rstrip("/")
    return f"( cd {shlex.quote(folder)} && {feed}{shlex.join(words)}{end} ) 2>&1"


def _kept(data: bytes) -> StreamOutput:
    buffer = OutputBuffer(SANDBOX_OUTPUT_KEPT_BYTES_MAX)
    buffer.add(data)
    return buffer.output()
