"""`RemoteMachine`: a remote machine, started at its first use and released exactly once.

Commands come from the event loop and file tools from threads, so one thread lock guards starting
and releasing: a machine that is being started when the agent closes is awaited and then released.
Every method blocks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from deepagents.backends.protocol import SandboxBackendProtocol

from dataagent_core.config.limits import REMOTE_FILES_S
from dataagent_core.errors import ConflictError, SandboxUnavailableError

# The folder a vendor starts commands in is the workspace, unless that is the whole machine.
_INSPECT = '[ "$PWD" != / ] || { mkdir -p /workspace && cd /workspace; } && pwd && command -v bash'


@dataclass(frozen=True, slots=True)
class MachineHandle:
    """A machine that answers, and the function that releases it."""

    backend: SandboxBackendProtocol
    close: Callable[[], object]


@dataclass(frozen=True, slots=True)
class ReadyMachine:
    """A running machine: the folder that is the workspace, and the bash that reads commands."""

    backend: SandboxBackendProtocol
    home: str
    bash: str


class RemoteMachine:
    """Stands for one machine; `open_handle` starts it or connects to one that runs."""

    def __init__(self, name: str, open_handle: Callable[[], MachineHandle]) -> None:
        self.name = name
        self._open = open_handle
        self._lock = Lock()
        self._opened: MachineHandle | None = None
        self._ready: ReadyMachine | None = None
        self._closed = False

    def ready(self) -> ReadyMachine:
        """Give the machine; start it at the first call."""
        with self._lock:
            if self._closed:
                raise ConflictError("This sandbox is closed. Make another agent to go on.")
            if self._ready is None:
                self._opened = self._opened or self._open()
                self._ready = self._inspect(self._opened.backend)
            return self._ready

    def close(self) -> None:
        """Release the machine if it was started."""
        with self._lock:
            self._closed = True
            if self._opened is None:
                return
            try:
                self._opened.close()
            except Exception as error:
                raise SandboxUnavailableError(
                    f"The machine {self._opened.backend.id!r} at {self.name!r} could not be given "
                    f"back ({type(error).__name__}: {error}). End it in its vendor's console."
                ) from error
            self._opened = self._ready = None

    def _inspect(self, backend: SandboxBackendProtocol) -> ReadyMachine:
        try:
            answer = backend.execute(_INSPECT, timeout=REMOTE_FILES_S)
        except Exception as error:
            raise make_unreachable_error(self.name, error) from error
        lines = answer.output.split("\n")
        match [line for line in lines if line.startswith("/")]:
            case [home, bash] if answer.exit_code == 0:
                return ReadyMachine(backend, home, bash)
            case _:
                raise SandboxUnavailableError(
                    f"The machine at {self.name!r} has no folder to work in or no bash; it said "
                    f"{answer.output!r:.300}. Choose another image with its vendor."
                )


def make_unreachable_error(name: str, error: Exception) -> SandboxUnavailableError:
    """Make the error for a machine that did not answer. Vendors raise errors of any type."""
    return SandboxUnavailableError(
        f"The machine at {name!r} did not answer ({type(error).__name__}: {error}), and whether "
        "the last command there ran is not known. Look at its vendor's console."
    )
