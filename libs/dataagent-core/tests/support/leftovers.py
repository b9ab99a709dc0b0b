"""What a test left behind: processes it started; pipes, sockets, folders and handles it opened.

Only what is new since the start counts. A test process lives long and holds other things as well
(a zygote and its programs, databases, threads of earlier tests), which may change at any time.
"""

import asyncio
import gc
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import psutil

_KINDS = ("pipe:", "socket:", "anon_inode:[pidfd]")


class Leftovers:
    """Compares with how it was when this was made."""

    def __init__(self) -> None:
        self._children = {child.pid for child in psutil.Process().children()}
        self._descriptors = _descriptors()

    @property
    def processes(self) -> set[int]:
        """Processes that this one has started since, and what they started."""
        own = psutil.Process()
        direct = [child for child in own.children() if child.pid not in self._children]
        return {child.pid for child in direct} | {pid for child in direct for pid in _below(child)}

    @property
    def descriptors(self) -> dict[str, str]:
        """What this process has opened since and not closed, by number."""
        gc.collect()  # what only waits for the collector is not left behind
        return dict(_descriptors().items() - self._descriptors.items())

    async def is_nothing(self, within_s: float = 90.0) -> None:
        """Wait until nothing is left; the failure names what is."""
        await becomes(lambda: not self.processes and not self.descriptors, within_s, self)

    def __repr__(self) -> str:
        names = [_named(pid) for pid in sorted(self.processes)]
        return f"left behind: {names} {self.descriptors}"


async def becomes(
    true: Callable[[], bool], within_s: float = 90.0, shown: object = "it never came to be"
) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline, shown
        await asyncio.sleep(0.01)


def _descriptors() -> dict[str, str]:
    found: dict[str, str] = {}
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208 - quick
        try:
            target = os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115 - quick
            is_folder = stat.S_ISDIR(os.fstat(int(number)).st_mode)
        except OSError:  # the one of the listing itself
            continue
        if is_folder or target.startswith(_KINDS):
            found[number] = target
    return found


def _below(process: psutil.Process) -> set[int]:
    try:
        return {child.pid for child in process.children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


def _named(pid: int) -> str:
    try:
        return f"{pid} {psutil.Process(pid).status()} {psutil.Process(pid).cmdline()}"
    except psutil.NoSuchProcess:
        return f"{pid} {Path('/proc', str(pid)).exists()}"
