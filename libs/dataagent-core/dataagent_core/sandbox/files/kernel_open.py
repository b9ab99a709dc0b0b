"""Opens a path beneath a directory in one system call, `openat2(2)`: no gap to swap a link into.

Python has no wrapper, so this uses `ctypes`. Where the kernel lacks the call, or a container
forbids it, `path_walk.py` does the same name by name.
"""

import ctypes
import errno
import os
import sys
from functools import cache
from typing import Any

from dataagent_core.config.limits import PATH_TRIES_MAX

# The number is the same on every architecture but Alpha.
_SYS_OPENAT2 = 437
_NO_XDEV = 0x01
_NO_MAGICLINKS = 0x02
_NO_SYMLINKS = 0x04
_BENEATH = 0x08


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


_SIZE = ctypes.sizeof(_OpenHow)


@cache
def _load_syscall() -> Any:
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    how = ctypes.POINTER(_OpenHow)
    function.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, how, ctypes.c_size_t)
    return function


@cache
def _make_open_how(flags: int, *, follow: bool, one_device: bool) -> Any:
    resolve = _BENEATH | _NO_MAGICLINKS
    resolve |= 0 if follow else _NO_SYMLINKS
    resolve |= _NO_XDEV if one_device else 0
    # A mode without O_CREAT is refused with EINVAL, and nothing here creates.
    return ctypes.pointer(_OpenHow(flags | os.O_CLOEXEC, 0, resolve))


def open_by_kernel(root_fd: int, path: str, flags: int, *, follow: bool, one_device: bool) -> int:
    """Open a checked path beneath `root_fd`; raises `OSError` as `os.open` does."""
    name = os.fsencode(path) or b"."
    how = _make_open_how(flags, follow=follow, one_device=one_device)
    call = _load_syscall()
    number = 0
    for _ in range(PATH_TRIES_MAX):
        descriptor = call(_SYS_OPENAT2, root_fd, name, how, _SIZE)
        if descriptor >= 0:
            return descriptor
        number = ctypes.get_errno()
        # The kernel saw a rename while it resolved `..` in a link, and could not be sure.
        if number not in {errno.EAGAIN, errno.EINTR}:
            break
    raise OSError(number, os.strerror(number))


@cache
def has_kernel_open() -> bool:
    """Say whether `openat2` can be used here."""
    if sys.platform != "linux":
        return False
    root_fd = os.open("/", os.O_PATH | os.O_DIRECTORY)
    try:
        os.close(open_by_kernel(root_fd, "", os.O_PATH, follow=False, one_device=False))
    except OSError:
        return False
    finally:
        os.close(root_fd)
    return True
