"""Opens a path beneath a directory: in one system call, or name by name.

`openat2(2)` leaves no gap to swap a link into. Python has no wrapper for it, so this uses `ctypes`.

The walk has two uses: it is the fallback where the kernel has no `openat2` or a container forbids
it, and it finds the directory a write happens in, because a write must know the real location
after links: what is protected there, and which name to replace. Every directory on the way is held
open. A name is opened relative to the directory held, never through a link; links are read and
walked by hand, so a directory that is renamed meanwhile cannot lead outside.
"""

import contextlib
import ctypes
import errno
import os
import stat
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cache
from typing import Any

from dataagent_core.config.limits import PATH_LINKS_MAX, PATH_TRIES_MAX
from dataagent_core.sandbox.paths.closed_paths import FileIdentity, read_descriptor_identity
from dataagent_core.sandbox.paths.tool_paths import PathParts

# The number is the same on every architecture but Alpha.
_SYS_OPENAT2 = 437
_NO_XDEV = 0x01
_NO_MAGICLINKS = 0x02
_NO_SYMLINKS = 0x04
_BENEATH = 0x08
# Raises if what was opened may not be: the path as asked for, its real names, the directories held
# open on the way, and what was opened itself.
Refuse = Callable[[str, PathParts, tuple[int, ...], FileIdentity], None]
_DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", 0)
_NEW_DIRECTORY_MODE = 0o777


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


@dataclass(frozen=True, slots=True)
class PathTarget:
    """Where a path ends: a name in the last of the directories held open on the way to it.

    `parts` are the real names, after links. A path that ends in a directory already held, such as
    the root, has the name `.`.
    """

    directory_fds: tuple[int, ...]
    name: str
    parts: PathParts

    @property
    def directory_fd(self) -> int:
        return self.directory_fds[-1]


@dataclass(slots=True)
class _Trail:
    """The directories held open, from the root down."""

    descriptors: list[int]
    names: list[str]

    def enter(self, name: str, *, make: bool) -> None:
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, _NEW_DIRECTORY_MODE, dir_fd=self.descriptors[-1])
        self.descriptors.append(os.open(name, _DIRECTORY, dir_fd=self.descriptors[-1]))
        self.names.append(name)

    def leave(self) -> None:
        if not self.names:
            raise _make_os_error(errno.EXDEV)
        os.close(self.descriptors.pop())
        self.names.pop()

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


@contextlib.contextmanager
def walk_to_target(
    root_fd: int,
    parts: PathParts,
    *,
    follow: bool,
    one_device: bool,
    follow_last: bool = True,
    make_parents: bool = False,
) -> Generator[PathTarget]:
    """Go to the directory that holds what `parts` name, after links; raises `OSError`.

    Without `follow_last` a link at the end of the path is itself the goal.
    """
    trail = _Trail([os.dup(root_fd)], [])
    device = os.fstat(root_fd).st_dev if one_device else None
    todo = list(reversed(parts))
    links = 0
    try:
        while todo:
            name = todo.pop()
            target = None if name == ".." else _read_link(trail.descriptors[-1], name)
            if name == "..":
                trail.leave()
            elif target is not None and (todo or follow_last):
                links += 1
                if not follow or links > PATH_LINKS_MAX:
                    raise _make_os_error(errno.ELOOP)
                todo += reversed(_split_names(target))
            elif todo:
                trail.enter(name, make=make_parents)
                if device is not None and os.fstat(trail.descriptors[-1]).st_dev != device:
                    raise _make_os_error(errno.EXDEV)
            else:
                yield PathTarget(tuple(trail.descriptors), name, (*trail.names, name))
                return
        # The path is the root, or a link ended in `.` or `..`: a directory already held.
        yield PathTarget(tuple(trail.descriptors), ".", tuple(trail.names))
    finally:
        trail.close()


def open_by_walk(root_fd: int, path: str, flags: int, *, follow: bool, one_device: bool) -> int:
    """Open a checked path beneath `root_fd`; raises `OSError` as `os.open` does."""
    return open_unless_refused(
        _refuse_nothing, (root_fd, path, flags), follow=follow, one_device=one_device
    )


def open_unless_refused(
    refuse: Refuse, what: tuple[int, str, int], *, follow: bool, one_device: bool
) -> int:
    """Open (root, checked path, flags) as `open_by_walk` does, unless where it leads is refused.

    The kernel's one call cannot tell which directories a path went through; this holds them open.
    """
    root_fd, path, flags = what
    with walk_to_target(
        root_fd, tuple(_split_names(path)), follow=follow, one_device=one_device
    ) as target:
        descriptor = os.open(target.name, flags | os.O_NOFOLLOW, dir_fd=target.directory_fd)
        try:
            last = read_descriptor_identity(descriptor)
            refuse(f"/{path}", target.parts, target.directory_fds, last)
        except BaseException:
            os.close(descriptor)
            raise
    opened = os.fstat(descriptor)
    # With O_PATH a link that appeared meanwhile is opened itself instead of being refused.
    swapped = stat.S_ISLNK(opened.st_mode)
    if swapped or (one_device and opened.st_dev != os.fstat(root_fd).st_dev):
        os.close(descriptor)
        raise _make_os_error(errno.ELOOP if swapped else errno.EXDEV)
    return descriptor


def _refuse_nothing(
    path: str, parts: PathParts, directory_fds: tuple[int, ...], last: FileIdentity
) -> None:
    pass


def _read_link(directory_fd: int, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=directory_fd)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def _split_names(target: str) -> list[str]:
    if target.startswith("/"):
        raise _make_os_error(errno.EXDEV)
    return [name for name in target.split("/") if name not in {"", "."}]


def _make_os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
