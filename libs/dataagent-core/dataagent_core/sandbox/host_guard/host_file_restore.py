"""Lets a name in a folder hold again what it held before a command: at once, or not at all."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import ExitStack, suppress

from dataagent_core.sandbox.host_guard.host_file_scan import ScannedFile
from dataagent_core.sandbox.paths.tool_paths import PathParts

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def restore_host_file(
    root_fd: int, parts: PathParts, was: ScannedFile | None, now: ScannedFile
) -> bool:
    """Put back what was there; False if the name is gone. Raises what makes that impossible."""
    with ExitStack() as stack:
        folder = root_fd
        try:
            for name in parts[:-1]:
                folder = os.open(name, _FOLDER, dir_fd=folder)
                stack.callback(os.close, folder)
        except FileNotFoundError:
            return False
        return _in_writable(folder, lambda: _exchange(folder, parts[-1], was, now))


def _exchange(folder: int, name: str, was: ScannedFile | None, now: ScannedFile) -> bool:
    try:
        if now.content is None:
            # Cannot be kept elsewhere.
            aside = f"{name}.refused-{secrets.token_hex(4)}"
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
        if was is None or was.content is None:
            if now.content is not None:
                os.unlink(name, dir_fd=folder)
            return True
    except FileNotFoundError:
        return False
    beside = f".dataagent-{secrets.token_hex(8)}.tmp"
    try:
        _make(folder, beside, was, was.content)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise
    return True


def _make(folder: int, name: str, was: ScannedFile, content: bytes) -> None:
    if was.is_link:
        os.symlink(content, os.fsencode(name), dir_fd=folder)
        return
    descriptor = os.open(name, _NEW, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        with suppress(PermissionError):
            os.fchown(descriptor, *was.owner)
        os.fchmod(descriptor, stat.S_IMODE(was.mode) & 0o777)


def _in_writable(folder: int, change: Callable[[], bool]) -> bool:
    """Change a folder; one of ours that a command made read-only becomes writable first."""
    try:
        return change()
    except PermissionError:
        mode = stat.S_IMODE(os.fstat(folder).st_mode)
        os.chmod(f"/proc/self/fd/{folder}", mode | stat.S_IRWXU)  # noqa: PTH101
        return change()
