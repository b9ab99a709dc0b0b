"""How much memory the kernel keeps for a socket or a pipe of a command."""

import fcntl
import os
import socket
import stat
import struct
import termios
from contextlib import suppress

from dataagent_core.sandbox.open_descriptors import Open

_SO_MEMINFO = 55
# Of its nine numbers: received, sent, queued to be sent, waiting for the owner.
_RECEIVED, _SENT, _QUEUED, _WAITING = 0, 2, 5, 7
_MEMINFO = struct.Struct("9I")
# How many datagrams a unix socket holds; only the first is measured.
_DATAGRAMS_MAX = 10


def is_buffer(opened: Open) -> bool:
    """Say whether the kernel keeps memory for it."""
    mode = opened.status.st_mode
    return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)


def buffered_bytes(opened: Open) -> int:
    """Measure it through a copy of the descriptor; raises `PermissionError` if there is none."""
    try:
        copy = opened.copied()
    except PermissionError:
        raise
    except OSError:
        return 0  # closed by now
    try:
        if stat.S_ISFIFO(opened.status.st_mode):
            return fcntl.fcntl(copy, fcntl.F_GETPIPE_SZ) if _unread_bytes(copy) else 0
        with socket.socket(fileno=os.dup(copy)) as one:
            return _socket_bytes(one)
    except OSError:
        return 0
    finally:
        os.close(copy)


def may_hold_descriptors(opened: Open) -> bool:
    """Say whether descriptors may be on their way through a socket, in no process's table."""
    if not stat.S_ISSOCK(opened.status.st_mode):
        return False
    with suppress(OSError, ValueError):
        for line in opened.details.splitlines():
            name, _, count = line.partition(":")
            if name == "scm_fds":
                return int(count) > 0
    return False


def _socket_bytes(one: socket.socket) -> int:
    numbers = _MEMINFO.unpack(one.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size))
    counted = numbers[_RECEIVED] + max(numbers[_SENT], numbers[_QUEUED]) + numbers[_WAITING]
    if one.family != socket.AF_UNIX:
        return counted
    # What a unix socket received is counted for its sender, who may have gone.
    datagrams = _DATAGRAMS_MAX if one.type == socket.SOCK_DGRAM else 1
    return counted + _unread_bytes(one.fileno()) * datagrams


def _unread_bytes(descriptor: int) -> int:
    with suppress(OSError):
        return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]
    return 0
