"""What a process has open, as /proc shows it, and a copy of one of its descriptors.

A thread may have a table of descriptors of its own. Python has no wrapper for the two system calls,
so this is `ctypes`.
"""

import ctypes
import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

_SYS_PIDFD_GETFD = 438
_SYS_KCMP = {"x86_64": 312, "aarch64": 272}
_KCMP_FILES = 2
# A descriptor of one thread, not of its process.
_PIDFD_THREAD = os.O_EXCL


@dataclass(frozen=True, slots=True)
class OpenDescriptor:
    """One open descriptor of a thread."""

    thread: int
    number: int
    status: os.stat_result

    @property
    def details(self) -> str:
        """Read what the kernel tells of it."""
        with open(f"/proc/{self.thread}/fdinfo/{self.number}") as lines:  # noqa: PTH123 - hot path
            return lines.read()

    def copy(self) -> int:
        """Open the same thing for ourselves; the caller closes it."""
        pidfd = _open_pidfd(self.thread)
        try:
            copy = _load_syscall()(_SYS_PIDFD_GETFD, pidfd, self.number, 0, 0, 0)
        finally:
            os.close(pidfd)
        if copy < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return copy


def list_open_descriptors(pid: int) -> Iterator[OpenDescriptor]:
    """List what a process has open; raises `PermissionError` if it does not let itself be seen."""
    for thread in _list_threads_with_own_table(pid):
        with suppress(FileNotFoundError, ProcessLookupError):
            for name in os.listdir(f"/proc/{thread}/fd"):  # noqa: PTH208 - hot path
                with suppress(OSError):
                    status = os.stat(f"/proc/{thread}/fd/{name}")  # noqa: PTH116 - hot path
                    yield OpenDescriptor(thread, int(name), status)


def _list_threads_with_own_table(pid: int) -> list[int]:
    try:
        threads = [int(name) for name in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
    except OSError:
        return []
    return [thread for thread in threads if thread == pid or not _shares_table(pid, thread)]


def _shares_table(pid: int, thread: int) -> bool:
    number = _SYS_KCMP.get(platform.machine())
    return number is not None and _load_syscall()(number, pid, thread, _KCMP_FILES, 0, 0) == 0


def _open_pidfd(thread: int) -> int:
    with suppress(OSError):  # kernels before 6.9 know only processes
        return os.pidfd_open(thread, _PIDFD_THREAD)
    return os.pidfd_open(thread)


@cache
def _load_syscall() -> Any:
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = (ctypes.c_long,) * 6
    return function
