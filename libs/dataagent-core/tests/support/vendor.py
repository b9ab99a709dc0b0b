"""A vendor of machines whose machines are folders and processes of this host.

It speaks deepagents' protocol as the `langchain-*` packages do: each vendor joins the two streams
in its own way, and raises what it likes when something takes too long.
"""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deepagents.backends.protocol import (
    ExecuteResponse,
    FileDownloadResponse,
    FileUploadResponse,
)
from deepagents.backends.sandbox import BaseSandbox

from dataagent_core.sandbox.remote.remote_machine import MachineHandle

Join = Callable[[str, str], str]


class VendorError(Exception):
    """What a vendor raises."""


def like_modal(stdout: str, stderr: str) -> str:
    return "\n".join(part for part in (stdout, stderr) if part)


def like_daytona(stdout: str, stderr: str) -> str:
    return stdout + (f"\n<stderr>{stderr.strip()}</stderr>" if stderr.strip() else "")


class Machine(BaseSandbox):
    """One folder; commands start in it."""

    def __init__(self, folder: Path, join: Join) -> None:
        self._folder = folder
        self._join = join
        self.commands = 0

    @property
    def id(self) -> str:
        return f"machine-{self._folder.name}"

    def execute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        self.commands += 1
        try:
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise VendorError("the request timed out") from error
        out, err = (part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
        return ExecuteResponse(output=self._join(out, err), exit_code=done.returncode)

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        for path, content in files:
            Path(path).write_bytes(content)
        return [FileUploadResponse(path=path) for path, _ in files]

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        return [FileDownloadResponse(path=p, content=Path(p).read_bytes()) for p in paths]


@dataclass
class Vendor:
    """Starts machines in a folder and knows which of them still run."""

    folder: Path
    join: Join = like_modal
    asked: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    machines: list[Machine] = field(default_factory=list[Machine])
    running: set[str] = field(default_factory=set[str])

    def open_machine(self, provider: str, sandbox_id: str | None = None) -> MachineHandle:
        self.asked.append((provider, sandbox_id))
        place = self.folder / f"m{len(self.asked)}"
        place.mkdir(parents=True)
        machine = Machine(place, self.join)
        self.machines.append(machine)
        self.running.add(machine.id)
        return MachineHandle(machine, lambda: self.running.remove(machine.id))

    def files(self, number: int = 1) -> Path:
        return self.folder / f"m{number}"
