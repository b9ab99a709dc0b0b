"""What the server's benchmarks share: the processes they start, and what these cost.

The model is `load_endpoint.py` in a process of its own, the server another, the clients the
benchmark itself; everything is on loopback and ends with the benchmark.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil

T = TypeVar("T")
KEY = "benchmark-key-of-this-run-only"
HEADERS = {"X-API-Key": KEY}
HERE = Path(__file__).parent
START_S = 60.0


@dataclass(frozen=True, slots=True)
class Served:
    """A server that answers, and the processes that do its work."""

    url: str
    home: Path
    processes: Sequence[psutil.Process]

    @property
    def database(self) -> Path:
        """The SQLite file, when no other database was named."""
        return self.home / "home" / "dataagent.db"


@contextmanager
def folder() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="dataagent-bench-") as name:
        yield Path(name)


@contextmanager
def child(command: Sequence[str], **popen: Any) -> Generator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, text=True, **popen)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(START_S)


@contextmanager
def endpoint(home: Path, *mode: str) -> Generator[str]:
    """Start the model; give its address."""
    port_file = home / f"port-{'-'.join(mode)}"
    with child([sys.executable, str(HERE / "load_endpoint.py"), str(port_file), *mode]):
        deadline = time.monotonic() + START_S
        while not port_file.exists() or not port_file.read_text():
            if time.monotonic() > deadline:
                raise SystemExit("the model's endpoint did not start")
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port_file.read_text()}/v1"


@contextmanager
def server(
    home: Path, model_url: str = "http://127.0.0.1:9/v1", program: str = "", **settings: str
) -> Generator[Served]:
    """Start our server on a database of its own; a script of this folder may run in its place."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "DATAAGENT_HOME": str(home / "home"),
        "DATAAGENT_API_KEYS": json.dumps([KEY]),
        "DATAAGENT_MODEL": "openai:load",
        "OPENAI_BASE_URL": model_url,
        "OPENAI_API_KEY": "none",
        "DATAAGENT_MAX_SESSIONS_PER_USER": "500000",
        "DATAAGENT_MAX_RUNS_PER_TENANT": "5000",
        "DATAAGENT_MAX_CONNECTIONS": "2000",
        "DATAAGENT_RATE_LIMIT_PER_MINUTE": "0",
        **{f"DATAAGENT_{name.upper()}": value for name, value in settings.items()},
    }
    script = HERE / program if program else Path(sys.executable).with_name("dataagent-server")
    command = [sys.executable, str(script), "serve", "--port", "0"]
    with (
        (home / "server.log").open("w") as log,
        child(command, env=environment, stdout=subprocess.PIPE, stderr=log) as process,
    ):
        url = _address(process, Path(log.name))
        _wait(url, "/api/v1/ready")
        parent = psutil.Process(process.pid)
        yield Served(url, home, [parent, *_workers(parent, int(settings.get("workers", "1")))])


@contextmanager
def other_server(script: str, home: Path, ready: str, *arguments: str) -> Generator[Served]:
    """Start somebody else's server, a script of this folder that prints its address."""
    command = [sys.executable, str(HERE / script), *arguments]
    with (
        (home / f"{script}.log").open("w") as log,
        child(command, stdout=subprocess.PIPE, stderr=log) as process,
    ):
        url = _address(process, Path(log.name))
        _wait(url, ready)
        yield Served(url, home, [psutil.Process(process.pid)])


def _address(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if "running at" in line:
            return line.split("running at")[1].split()[0].rstrip("/")
    raise SystemExit(f"a server ended before it said where it is:\n{log.read_text()[-2000:]}")


def _wait(url: str, path: str) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            if httpx.get(url + path, trust_env=False, timeout=START_S).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise SystemExit(f"{url}{path} did not become ready")


def _workers(parent: psutil.Process, count: int) -> Sequence[psutil.Process]:
    if count == 1:
        return ()
    return [one for one in parent.children() if "spawn_main" in " ".join(one.cmdline())]


def memory_mb(processes: Sequence[psutil.Process]) -> float:
    return sum(one.memory_info().rss for one in processes) / 2**20


def cpu_s(processes: Sequence[psutil.Process]) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in processes)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a piece of work took."""

    took_s: float
    cpu_s: float
    peak_mb: float


async def watched(served: Served, work: Coroutine[Any, Any, T]) -> tuple[T, Cost]:
    """Do the work; return what it gives and what it cost the server."""
    processes = served.processes
    peak, cpu_before, began = memory_mb(processes), cpu_s(processes), time.perf_counter()
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.wait([task], timeout=0.2)
        peak = max(peak, memory_mb(processes))
    took_s = time.perf_counter() - began
    return task.result(), Cost(took_s, cpu_s(processes) - cpu_before, peak)


def load_note() -> str:
    """Say whether the machine is ours alone; ask before measuring."""
    load = os.getloadavg()[1]
    return "on a quiet machine" if load < 1 else f"with other work on the machine (load {load:.1f})"
