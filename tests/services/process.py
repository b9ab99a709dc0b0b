"""One service as a child process: started, polled until it answers, stopped, restarted."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_STOP_S = 20.0
_NOBODY = 65_534
_LIBC = ctypes.CDLL(None, use_errno=True)


class ServiceMissingError(Exception):
    """The service's program is not on this machine."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Service:
    """A program that listens on a loopback port and keeps its data in one directory.

    PostgreSQL refuses to run as root; as root services run as `nobody`.
    """

    name: str
    as_nobody: bool = True
    # A limit that only ends a hang.
    ready_s: float = 60.0
    stop_signal: signal.Signals = signal.SIGKILL

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix=f"dataagent-{self.name}-"))
        self.port = free_port()
        root = os.geteuid() == 0 and self.as_nobody
        self._user = _NOBODY if root else None
        self._groups: list[str | int] | None = [] if root else None
        self._process: subprocess.Popen[bytes] | None = None
        if root:
            os.chown(self.directory, _NOBODY, _NOBODY)

    def command(self) -> Sequence[str]:
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        return {}

    def is_ready(self) -> bool:
        return answers(self.port)

    def start(self) -> None:
        """Start it and wait until it answers; do nothing if it runs already."""
        if self._process and self._process.poll() is None:
            return
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.directory,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", **self.environment()},
                start_new_session=True,  # a Ctrl-C meant for pytest is not for the service
                user=self._user,
                group=self._user,
                extra_groups=self._groups,
                preexec_fn=self._die_with_parent,  # noqa: PLW1509 (only a system call)
            )
        deadline = time.monotonic() + self.ready_s
        while not self.is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                said = self.log.read_text(errors="replace")[-3_000:]
                self.stop()
                raise RuntimeError(f"{self.name} did not start:\n{said}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Kill it: committed data must survive."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(self.stop_signal)
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def remove(self) -> None:
        """Stop it and delete its data."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def log(self) -> Path:
        return self.directory / "log"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def run(self, command: Sequence[str], stdin: bytes = b"") -> None:
        """Run a helper program as the service's user."""
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=self.directory,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", **self.environment()},
            check=False,
            user=self._user,
            group=self._user,
            extra_groups=self._groups,
        )
        if done.returncode:
            said = (done.stdout + done.stderr).decode(errors="replace")[-3_000:]
            raise RuntimeError(f"{command[0]} failed:\n{said}")

    def _die_with_parent(self) -> None:
        # Set after the change of user, which would clear it.
        _LIBC.prctl(_PR_SET_PDEATHSIG, self.stop_signal)
