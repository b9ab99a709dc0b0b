"""`RemoteSandbox`: commands on a remote machine, behind our port; and our port for deepagents.

What the machine isolates is up to its vendor. Vendors join stdout and stderr in different ways, so
they are joined on the machine and all output is `stdout`. Vendors also stop slow commands in
different ways, so the program `timeout` does it there. A command whose run is cancelled continues
on the machine until its time is over or the machine is released.

`SandboxBackend` shows any sandbox as deepagents' `SandboxBackendProtocol`: `execute`, file upload
and download, `id`; `BaseSandbox` derives the rest. A time-out is exit code 124, as of `timeout`.
"""

import asyncio
import base64
import math
import posixpath
import shlex
import time
from typing import Unpack

from deepagents.backends.protocol import (
    ExecuteResponse,
    FileDownloadResponse,
    FileUploadResponse,
)
from deepagents.backends.sandbox import BaseSandbox

from dataagent_core.config.limits import (
    REMOTE_ANSWER_S,
    REMOTE_STDIN_BYTES_MAX,
    SANDBOX_KILL_WAIT_S,
    SANDBOX_OUTPUT_KEPT_BYTES_MAX,
    SANDBOX_TIMEOUT_S,
)
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import Command, CommandResult, RunOptions, Sandbox, StreamOutput
from dataagent_core.sandbox.processes.bash_command import drop_bash_settings
from dataagent_core.sandbox.processes.output_capture import OutputBuffer
from dataagent_core.sandbox.processes.run_request import RunRequest
from dataagent_core.sandbox.remote.remote_machine import (
    ReadyMachine,
    RemoteMachine,
    make_unreachable_error,
)

TIMED_OUT = 124
KILLED = 137
_WRITE = ("sh", "-c", 'mkdir -p "$(dirname "$1")" && cat > "$1"', "sh")
# A line is judged as a fresh bash reads it (`sandbox/processes/bash_command.py`), so nothing may be
# read before it.
_FRESH = ("--noprofile", "--norc")
_UNSET = ("-uBASH_ENV", "-uENV", "-uSHELLOPTS", "-uBASHOPTS", "-uPOSIXLY_CORRECT")


class SandboxBackend(BaseSandbox):
    """Stands for one sandbox; closing it stays its owner's."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def id(self) -> str:
        """Name the sandbox."""
        return self._sandbox.id

    def execute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        """Run a command from a thread without an event loop."""
        return asyncio.run(self.aexecute(command, timeout=timeout))

    async def aexecute(
        self,
        command: str,
        *,
        timeout: int | None = None,  # noqa: ASYNC109 - deepagents' name
    ) -> ExecuteResponse:
        """Run a command."""
        done = await self._sandbox.run(command, timeout_s=timeout or SANDBOX_TIMEOUT_S)
        output = (done.stdout.data + done.stderr.data).decode("utf-8", "replace")
        truncated = bool(done.stdout.dropped_bytes or done.stderr.dropped_bytes)
        return ExecuteResponse(output=output, exit_code=_find_exit_code(done), truncated=truncated)

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Write files from a thread without an event loop."""
        return asyncio.run(self.aupload_files(files))

    async def aupload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Write files, each through its own command."""
        return [await self._upload(path, content) for path, content in files]

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """Read files from a thread without an event loop."""
        return asyncio.run(self.adownload_files(paths))

    async def adownload_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """Read files, each through its own command."""
        return [await self._download(path) for path in paths]

    async def _upload(self, path: str, content: bytes) -> FileUploadResponse:
        done = await self._sandbox.run([*_WRITE, path], stdin=content)
        return FileUploadResponse(path=path, error=_translate_error(done))

    async def _download(self, path: str) -> FileDownloadResponse:
        done = await self._sandbox.run(["cat", "--", path])
        if done.exit_code != 0:
            return FileDownloadResponse(path=path, error=_translate_error(done))
        if done.stdout.dropped_bytes:
            return FileDownloadResponse(path=path, error=f"{done.stdout.total_bytes} bytes")
        return FileDownloadResponse(path=path, content=done.stdout.data)


def _find_exit_code(done: CommandResult) -> int:
    if done.exit_code is not None:
        return done.exit_code
    return TIMED_OUT if done.timed_out else KILLED


def _translate_error(done: CommandResult) -> str | None:
    if done.exit_code == 0:
        return None
    said = done.stderr.data.decode("utf-8", "replace")
    known = {
        "No such file": "file_not_found",
        "Is a directory": "is_directory",
        "denied": "permission_denied",
        "Read-only": "permission_denied",
    }
    return next((code for words, code in known.items() if words in said), said.strip() or "failed")


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
        line = build_command_line(request, ready)
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
            stdout=_keep_output(data),
            stderr=StreamOutput(),
            duration_s=duration_s,
            killed_reason="timeout" if timed_out else None,
            notes=("the remote sandbox cut the output",) if response.truncated else (),
        )

    async def aclose(self) -> None:
        """Give the machine back."""
        await asyncio.to_thread(self._machine.close)


def build_command_line(request: RunRequest, ready: ReadyMachine) -> str:
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


def _keep_output(data: bytes) -> StreamOutput:
    buffer = OutputBuffer(SANDBOX_OUTPUT_KEPT_BYTES_MAX)
    buffer.add(data)
    return buffer.output()
