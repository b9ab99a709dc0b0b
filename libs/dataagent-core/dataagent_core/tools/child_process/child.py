"""Runs one worker within its limits: `python -I child.py worker.py`.

In and out go a line of JSON and bytes behind it. Once the worker is prepared it has bounded time
and memory, and can open neither a file nor a socket nor start a process. Imports nothing of ours.
"""

import contextlib
import importlib.util
import json
import resource
import sys
from types import ModuleType
from typing import Any


def main() -> None:
    """Read the job, give up what it must not use, and answer."""
    worker = _load_worker(sys.argv[1])
    job = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    worker.prepare(job)
    _apply_limits(job["limits"])
    head, written = worker.work(job, data)
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + written)


def _load_worker(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("worker", file)
    assert spec is not None
    assert spec.loader is not None
    worker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(worker)
    return worker


def _apply_limits(limits: dict[str, Any]) -> None:
    with contextlib.suppress(ValueError, OSError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (limits["memory_bytes"], limits["memory_bytes"]))
    resource.setrlimit(resource.RLIMIT_CPU, (limits["cpu_s"], limits["cpu_s"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    for forbidden in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(forbidden, (0, 0))


if __name__ == "__main__":
    main()
