"""The real server in its own process: started by its command, used over loopback."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.warm.popen import WarmPopen

BIN = Path(sys.executable).parent
START_S_MAX = 90.0
STOP_S_MAX = 60.0


@dataclass
class ServerProcess:
    """A started server and its printed greeting."""

    process: WarmPopen
    greeting: str
    log: Path
    url: str = field(init=False)

    def __post_init__(self) -> None:
        self.url = _found(r"running at (\S+)", self.greeting)

    @property
    def sign_in_url(self) -> str:
        return _found(r"(http\S+\?token=\S+)", self.greeting)

    @property
    def first_key(self) -> str:
        return _found(r"shown only now: (\S+)", self.greeting)

    def get(self, path: str, **options: object) -> httpx.Response:
        return httpx.get(self.url + path, timeout=30, trust_env=False, **options)  # pyright: ignore[reportArgumentType]

    def wait_until_ready(self) -> None:
        end = time.monotonic() + START_S_MAX
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {self.log.read_text()}")
            try:
                if self.get("/api/v1/ready").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError(f"the server is not ready: {self.log.read_text()}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(STOP_S_MAX)

    def kill_all(self) -> None:
        """Kill the process group: the process and its workers."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(STOP_S_MAX)


@contextmanager
def serving(
    environment: dict[str, str],
    cwd: Path,
    *options: str,
    command: Sequence[str | Path] = (BIN / "dataagent", "serve"),
) -> Generator[ServerProcess]:
    """Start a server at a free port and wait until it is ready; it is gone afterwards."""
    log = cwd / f"server-{time.monotonic_ns()}.log"
    with log.open("w") as errors:
        process = WarmPopen(
            [*command, "--port", "0", *options],
            env=environment,
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            text=True,
        )
    try:
        server = ServerProcess(process, _read_greeting(process, log), log)
        server.wait_until_ready()
        yield server
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(STOP_S_MAX)
        if process.stdout is not None:
            process.stdout.close()


def _read_greeting(process: WarmPopen, log: Path) -> str:
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C" in line:
            return "".join(lines)
    raise AssertionError(f"the server did not greet: {''.join(lines)}{log.read_text()}")


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, text
    return found.group(1)
