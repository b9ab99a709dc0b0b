"""The port `Sandbox`: runs a command isolated from the host and reports exactly how it ended.

Implementations: `BwrapSandbox` (Linux namespaces), `UnsafeHostShell` (one user, no isolation) and
`RemoteSandbox` (modal, daytona, runloop). A command that fails is a `CommandResult` with its exit
code; an exception means that it was not run at all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, Unpack, runtime_checkable

Network = Literal["none", "hosts", "full"]
StreamName = Literal["stdout", "stderr"]
KilledReason = Literal["timeout", "memory", "processes", "disk", "output"]
OnOutput = Callable[[StreamName, bytes], None]
Command = str | Sequence[str]


class RunOptions(TypedDict, total=False):
    """Options of a run; the defaults are in `RunRequest`."""

    timeout_s: float
    cwd: str
    env: Mapping[str, str]
    stdin: bytes
    # Without it a run has the network its sandbox was made with.
    network: Network
    on_output: OnOutput


@dataclass(frozen=True, slots=True)
class StreamOutput:
    """One stream of a command: its beginning, its end, and how much there was."""

    head: bytes = b""
    tail: bytes = b""
    total_bytes: int = 0

    @property
    def dropped_bytes(self) -> int:
        """Count what was written between `head` and `tail` and not kept."""
        return self.total_bytes - len(self.head) - len(self.tail)

    @property
    def data(self) -> bytes:
        """Join what was kept, marking a gap."""
        if not self.dropped_bytes:
            return self.head + self.tail
        gap = f"\n... ({self.dropped_bytes} bytes not kept) ...\n".encode()
        return self.head + gap + self.tail


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended. `exit_code` is 128 + n for signal n, None when it was killed by us."""

    exit_code: int | None
    stdout: StreamOutput
    stderr: StreamOutput
    duration_s: float
    killed_reason: KilledReason | None = None
    notes: tuple[str, ...] = ()

    @property
    def timed_out(self) -> bool:
        """Say whether the time it was given ran out."""
        return self.killed_reason == "timeout"


@dataclass(frozen=True, slots=True)
class LookResult:
    """How a command ended that could change nothing, and what it tried to write (`/a.txt`)."""

    done: CommandResult
    writes: tuple[str, ...] = ()


@runtime_checkable
class Sandbox(Protocol):
    """Runs commands. A string is read by a shell; a sequence is run as it is."""

    @property
    def id(self) -> str:
        """Name this sandbox in logs and receipts."""
        ...

    async def run(self, command: Command, **options: Unpack[RunOptions]) -> CommandResult:
        """Run to the end."""
        ...

    async def aclose(self) -> None:
        """End what still runs and release all resources."""
        ...


@runtime_checkable
class LookSandbox(Sandbox, Protocol):
    """A sandbox that can run a command so that nothing it writes stays."""

    async def look(
        self, command: Command, *, timeout_s: float, env: Mapping[str, str]
    ) -> LookResult:
        """Run to the end, without a network, over a workspace that cannot be changed."""
        ...


class Process(Protocol):
    """A long-running program that is used through its pipes."""

    @property
    def alive(self) -> bool:
        """Say whether it still runs."""
        ...

    async def send(self, data: bytes) -> None:
        """Write to its standard input."""
        ...

    async def read_line(self) -> bytes:
        """Read one line of its standard output; empty at its end."""
        ...

    async def kill(self) -> CommandResult:
        """End it and everything it started."""
        ...


class PausableProcess(Process, Protocol):
    """A program that can be paused."""

    async def freeze(self) -> bool:
        """Pause it and everything it started; False if that cannot be done."""
        ...

    async def thaw(self) -> None:
        """Resume it."""
        ...

    async def refused_names(self) -> list[str]:
        """Say which protected names it had created when it was stopped; they are renamed."""
        ...

    async def is_covered(self) -> bool:
        """Say whether it can open nothing that is denied or protected by now."""
        ...


@runtime_checkable
class ProcessSandbox(Sandbox, Protocol):
    """A sandbox that can also keep a program running."""

    async def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        network: Network | None = None,
    ) -> PausableProcess:
        """Start a program and leave it running."""
        ...
