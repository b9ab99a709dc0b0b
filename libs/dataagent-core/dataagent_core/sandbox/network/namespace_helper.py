"""A separate program that enters a sandbox's network namespace and opens a listener there.

Its arguments are the pid of the sandbox's first process and the socket to send the listener to.

A process must have a single thread to change its user namespace, so this is never imported. It
stands on the standard library alone and starts with `python -I -S`.
"""

import ctypes
import fcntl
import os
import socket
import sys

_GET_OWNER = 0xB701  # NS_GET_USERNS: the user namespace that owns another one
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
PROXY_PORT = 3128

_libc = ctypes.CDLL(None, use_errno=True)


def enter(pid: int, name: str, kind: int) -> None:
    """Become the owner of a namespace and step into it."""
    namespace = os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY)
    owner = fcntl.ioctl(namespace, _GET_OWNER)
    for descriptor, flag in ((owner, _NEW_USER), (namespace, kind)):
        if _libc.setns(descriptor, flag) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), name)


def listen(pid: int, hand_back: int) -> None:
    """Open the listener inside; connections to it are accepted outside."""
    enter(pid, "net", _NEW_NETWORK)
    listener = socket.create_server(("127.0.0.1", PROXY_PORT))
    with socket.socket(fileno=hand_back) as channel:
        socket.send_fds(channel, [b"1"], [listener.fileno()])


if __name__ == "__main__":
    listen(int(sys.argv[1]), int(sys.argv[2]))
