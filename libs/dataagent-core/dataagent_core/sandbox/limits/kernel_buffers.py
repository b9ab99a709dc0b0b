"""How much memory the kernel keeps for a socket or a pipe of a command."""

import fcntl
import os
import select
import socket
import stat
import struct
import termios
from contextlib import suppress
from dataclasses import dataclass

from dataagent_core.sandbox.limits.open_descriptors import OpenDescriptor

_SO_MEMINFO = 55
# Of its nine numbers: received, sent, queued to be sent, waiting for the owner.
_RECEIVED, _SENT, _QUEUED, _WAITING = 0, 2, 5, 7
_MEMINFO = struct.Struct("9I")
# What a sender may have on the way by default; small messages take far more than their length.
_SENDER_BYTES_MAX = 425_984
# How many datagrams a unix socket holds; only the first is measured.
_DATAGRAMS_MAX = 10


@dataclass(frozen=True, slots=True)
class KernelBuffer:
    """What the kernel keeps for one; `partial` if more may hang on it that nobody can see."""

    size_bytes: int = 0
    partial: bool = False


def is_buffer(opened: OpenDescriptor) -> bool:
    """Say whether the kernel keeps memory for it."""
    mode = opened.status.st_mode
    return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)


def measure_buffer(opened: OpenDescriptor) -> KernelBuffer:
    """Measure it through a copy of the descriptor; raises `PermissionError` if there is none."""
    try:
        copy = opened.copied()
    except PermissionError:
        raise
    except OSError:
        return KernelBuffer()  # closed by now
    try:
        if stat.S_ISFIFO(opened.status.st_mode):
            return KernelBuffer(fcntl.fcntl(copy, fcntl.F_GETPIPE_SZ) if _unread_bytes(copy) else 0)
        with socket.socket(fileno=os.dup(copy)) as one:
            partial = _passes_descriptors(opened) or _has_callers(one)
            return KernelBuffer(_socket_bytes(one), partial)
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


def _socket_bytes(one: socket.socket) -> int:
    numbers = _MEMINFO.unpack(one.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size))
    counted = numbers[_RECEIVED] + max(numbers[_SENT], numbers[_QUEUED]) + numbers[_WAITING]
    if one.family != socket.AF_UNIX:
        return counted
    # What a unix socket received is counted for its sender, who may have gone.
    unread_bytes = _unread_bytes(one.fileno())
    datagrams = _DATAGRAMS_MAX if one.type == socket.SOCK_DGRAM else 1
    return counted + (max(unread_bytes * datagrams, _SENDER_BYTES_MAX) if unread_bytes else 0)


def _unread_bytes(descriptor: int) -> int:
    with suppress(OSError):
        return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]
    return 0
