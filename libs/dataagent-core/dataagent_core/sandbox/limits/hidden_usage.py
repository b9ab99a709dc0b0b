"""Memory and disk that a process tree holds, and that neither a process nor a folder shows.

A `memfd` is memory that belongs to no process; a file that was unlinked while open takes the disk
until it is closed. Either may be open, mapped, or the program that runs. Pipes and sockets hold
memory of the kernel. No limit of the kernel counts the sum of these: /proc shows them one by one. A
thread may have a table of descriptors of its own.

Some of it is not in /proc either, and makes the result `partial`: a descriptor on its way through
a unix socket, connections that nobody has accepted, and, unless we are root, a process that does
not let itself be inspected.
"""

import ctypes
import fcntl
import os
import platform
import re
import select
import socket
import stat
import struct
import termios
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dataagent_core.sandbox.processes.process_tree import is_gone

_SYS_PIDFD_GETFD = 438
_SYS_KCMP = {"x86_64": 312, "aarch64": 272}
_KCMP_FILES = 2
# A descriptor of one thread, not of its process.
_PIDFD_THREAD = os.O_EXCL
_BYTES_PER_KIB = 1024
# A line of /proc/PID/maps, and the first line of a mapping in /proc/PID/smaps.
_MAPPING = re.compile(
    r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) \S+ (?P<offset>[0-9a-f]+) "
    r"(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+) (?P<inode>\d+)\s+(?P<path>.*)"
)
_DELETED = " (deleted)"
# Memory that was mapped shared, without a file: nothing of it is outside its mapping.
_ONLY_MAPPED = ("/dev/zero", "/SYSV")
_RESIDENT = ("Pss:", "SwapPss:")
_SO_MEMINFO = 55
# Of its nine numbers: received, sent, queued to be sent, waiting for the owner.
_RECEIVED, _SENT, _QUEUED, _WAITING = 0, 2, 5, 7
_MEMINFO = struct.Struct("9I")
# What a sender may have on the way by default; small messages take far more than their length.
_SENDER_BYTES_MAX = 425_984
# How many datagrams a unix socket holds; only the first is measured.
_DATAGRAMS_MAX = 10
_BLOCK_BYTES = 512
_KIB = 1024
_NOT_RESIDENT = ("VmPTE:", "VmSwap:")
Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class HiddenUsage:
    """Memory, disk, how many files of the disk; `partial` if there may be more."""

    memory_bytes: int = 0
    disk_bytes: int = 0
    disk_files: int = 0
    partial: bool = False


@dataclass(slots=True)
class _HiddenFiles:
    memory_device: int
    files: dict[Identity, int] = field(default_factory=dict[Identity, int])
    estimated: dict[Identity, int] = field(default_factory=dict[Identity, int])
    buffers: dict[Identity, int] = field(default_factory=dict[Identity, int])
    kernel_bytes: int = 0
    partial: bool = False

    def add(self, status: os.stat_result) -> None:
        if status.st_nlink == 0:
            self.files[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK_BYTES

    def estimate(self, identity: Identity, size_bytes: int) -> None:
        before = self.estimated.get(identity, 0)
        # Shares of what is resident add up; of a file on disk the farthest reach counts.
        in_memory = identity[0] == self.memory_device
        self.estimated[identity] = before + size_bytes if in_memory else max(before, size_bytes)


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


@dataclass(frozen=True, slots=True)
class KernelBuffer:
    """What the kernel keeps for one; `partial` if more may hang on it that nobody can see."""

    size_bytes: int = 0
    partial: bool = False


@dataclass(frozen=True, slots=True)
class MappedFileEstimate:
    """What a mapping shows of its file; `partial` if the file may be larger."""

    identity: tuple[int, int]
    size_bytes: int
    partial: bool


def find_memory_device() -> int:
    """Find the kernel's own file system of memory, where every `memfd` is."""
    descriptor = os.memfd_create("dataagent")
    try:
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)


def measure_hidden_usage(pids: Iterable[int], memory: int, bounded: frozenset[int]) -> HiddenUsage:
    """Add up what these processes hold; what lies on `bounded` devices has a size of its own."""
    found = _HiddenFiles(memory)
    known = list(pids)
    for pid in known:
        _add_process(pid, found)
    # After the descriptors of all: what is open somewhere need not be estimated.
    for pid in known:
        _add_mappings(pid, found)
    sizes = {k: v for k, v in (found.estimated | found.files).items() if k[0] not in bounded}
    disk = [size_bytes for (device, _), size_bytes in sizes.items() if device != memory]
    in_files = sum(sizes.values()) - sum(disk)
    in_kernel = found.kernel_bytes + sum(found.buffers.values())
    return HiddenUsage(in_files + in_kernel, sum(disk), len(disk), found.partial)


def _add_process(pid: int, found: _HiddenFiles) -> None:
    try:
        for opened in list_open_descriptors(pid):
            found.add(opened.status)
            identity = opened.status.st_dev, opened.status.st_ino
            if is_buffer(opened) and identity not in found.buffers:
                buffer = measure_buffer(opened)
                found.buffers[identity] = buffer.size_bytes
                found.partial = found.partial or buffer.partial
    except PermissionError:
        found.partial = found.partial or not is_gone(pid)
    with suppress(OSError):
        found.add(os.stat(f"/proc/{pid}/exe"))  # noqa: PTH116 - hot path
    with suppress(OSError), open(f"/proc/{pid}/status") as lines:  # noqa: PTH123 - hot path
        numbers = (line.split()[1] for line in lines if line.startswith(_NOT_RESIDENT))
        found.kernel_bytes += sum(int(number) * _KIB for number in numbers)


def _add_mappings(pid: int, found: _HiddenFiles) -> None:
    try:
        for status in list_mapped_files(pid):
            found.add(status)
    except PermissionError:
        for one in estimate_mapped_files(pid, found.memory_device):
            if one.identity not in found.files:
                found.estimate(one.identity, one.size_bytes)
                found.partial = found.partial or one.partial


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


def is_buffer(opened: OpenDescriptor) -> bool:
    """Say whether the kernel keeps memory for it."""
    mode = opened.status.st_mode
    return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)


def measure_buffer(opened: OpenDescriptor) -> KernelBuffer:
    """Measure it through a copy of the descriptor; raises `PermissionError` if there is none."""
    try:
        copy = opened.copy()
    except PermissionError:
        raise
    except OSError:
        return KernelBuffer()  # closed by now
    try:
        if stat.S_ISFIFO(opened.status.st_mode):
            return KernelBuffer(
                fcntl.fcntl(copy, fcntl.F_GETPIPE_SZ) if _count_unread_bytes(copy) else 0
            )
        with socket.socket(fileno=os.dup(copy)) as one:
            partial = _passes_descriptors(opened) or _has_callers(one)
            return KernelBuffer(_measure_socket(one), partial)
    except OSError:
        return KernelBuffer()
    finally:
        os.close(copy)


def _passes_descriptors(opened: OpenDescriptor) -> bool:
    """Say whether descriptors are on their way through a socket, in no process's table."""
    with suppress(OSError, ValueError):
        for line in opened.details.splitlines():
            name, _, count = line.partition(":")
            if name == "scm_fds":
                return int(count) > 0
    return False


def _has_callers(one: socket.socket) -> bool:
    """Say whether connections wait to be accepted, with what their callers sent."""
    if not one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        return False
    waiting = select.poll()
    waiting.register(one, select.POLLIN)
    return bool(waiting.poll(0))


def _measure_socket(one: socket.socket) -> int:
    numbers = _MEMINFO.unpack(one.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size))
    counted = numbers[_RECEIVED] + max(numbers[_SENT], numbers[_QUEUED]) + numbers[_WAITING]
    if one.family != socket.AF_UNIX:
        return counted
    # What a unix socket received is counted for its sender, who may have gone.
    unread_bytes = _count_unread_bytes(one.fileno())
    datagrams = _DATAGRAMS_MAX if one.type == socket.SOCK_DGRAM else 1
    return counted + (max(unread_bytes * datagrams, _SENDER_BYTES_MAX) if unread_bytes else 0)


def _count_unread_bytes(descriptor: int) -> int:
    with suppress(OSError):
        return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]
    return 0


def list_mapped_files(pid: int) -> Iterator[os.stat_result]:
    """Look at each of them; raises `PermissionError` for anybody but root."""
    for mapping in _list_unnamed_mappings(pid, "maps"):
        if not isinstance(mapping, str):
            place = f"/proc/{pid}/map_files/{mapping['start']}-{mapping['end']}"
            with suppress(FileNotFoundError, ProcessLookupError):  # unmapped by now
                yield os.stat(place)  # noqa: PTH116 - hot path


def estimate_mapped_files(pid: int, memory_device: int) -> Iterator[MappedFileEstimate]:
    """Tell of memory what is resident in this process, of a disk how far each mapping reaches."""
    identity, partial = None, False
    for line in _list_unnamed_mappings(pid, "smaps"):
        if isinstance(line, str):
            if identity is not None and line.startswith(_RESIDENT):
                yield MappedFileEstimate(identity, int(line.split()[1]) * _BYTES_PER_KIB, partial)
            continue
        device = os.makedev(int(line["major"], 16), int(line["minor"], 16))
        seen, partial = (device, int(line["inode"])), not line["path"].startswith(_ONLY_MAPPED)
        identity = seen if device == memory_device else None
        if identity is None:
            length = int(line["end"], 16) - int(line["start"], 16)
            yield MappedFileEstimate(seen, int(line["offset"], 16) + length, partial)


def _list_unnamed_mappings(pid: int, listing: str) -> Iterator[re.Match[str] | str]:
    """Give the mappings of files without a name, and the lines that follow each."""
    wanted = False
    with suppress(OSError), open(f"/proc/{pid}/{listing}") as lines:  # noqa: PTH123 - hot path
        for line in lines:
            if mapping := _MAPPING.match(line):
                wanted = mapping["path"].endswith(_DELETED)
            if wanted:
                yield mapping or line
