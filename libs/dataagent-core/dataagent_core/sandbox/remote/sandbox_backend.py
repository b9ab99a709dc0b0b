"""`SandboxBackend`: any sandbox of ours as deepagents' `SandboxBackendProtocol`.

Only what deepagents asks for: `execute`, files up and down, `id`. The rest its `BaseSandbox` makes
of these. A time-out is exit code 124, as of the program `timeout`.
"""

import asyncio

from deepagents.backends.protocol import (
    ExecuteResponse,
    FileDownloadResponse,
    FileUploadResponse,
)
from deepagents.backends.sandbox import BaseSandbox

from dataagent_core.config.limits import SANDBOX_TIMEOUT_S
from dataagent_core.sandbox.port import CommandResult, Sandbox

TIMED_OUT = 124
KILLED = 137
_WRITE = ("sh", "-c", 'mkdir -p "$(dirname "$1")" && cat > "$1"', "sh")


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
        return ExecuteResponse(output=output, exit_code=_exit_code(done), truncated=truncated)

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
        return FileUploadResponse(path=path, error=_error(done))

    async def _download(self, path: str) -> FileDownloadResponse:
        done = await self._sandbox.run(["cat", "--", path])
        if done.exit_code != 0:
            return FileDownloadResponse(path=path, error=_error(done))
        if done.stdout.dropped_bytes:
            return FileDownloadResponse(path=path, error=f"{done.stdout.total_bytes} bytes")
        return FileDownloadResponse(path=path, content=done.stdout.data)


def _exit_code(done: CommandResult) -> int:
    if done.exit_code is not None:
        return done.exit_code
    return TIMED_OUT if done.timed_out else KILLED


def _error(done: CommandResult) -> str | None:
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
