"""What tests of the sandbox share: a Python inside, and a look at the host's processes."""

import secrets
from pathlib import Path

import psutil

from dataagent_core.sandbox.port import CommandResult, Sandbox

# The base's own Python; tests that need one inside run it.
PYTHON = "/usr/bin/python3"


def text(done: CommandResult) -> str:
    return (done.stdout.data + done.stderr.data).decode(errors="replace")


async def python(sandbox: Sandbox, code: str, *, timeout_s: float = 20.0) -> CommandResult:
    return await sandbox.run([PYTHON, "-I", "-c", code], timeout_s=timeout_s)


def new_mark() -> str:
    """Make a number of seconds nobody else sleeps for."""
    return str(10**7 + secrets.randbelow(10**7))


def processes_with(mark: str) -> list[int]:
    found: list[int] = []
    for process in psutil.process_iter():
        try:
            if any(mark in word for word in process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def zombies_of(pid: int) -> list[int]:
    children = psutil.Process(pid).children(recursive=True)
    return [child.pid for child in children if child.status() == psutil.STATUS_ZOMBIE]


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def leftovers(folder: Path) -> list[str]:
    return sorted(
        entry.name for entry in folder.iterdir() if entry.name not in {"workspace", "secret.txt"}
    )
