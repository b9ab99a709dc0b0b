"""A layer over the workspace that is discarded after a look.

What the command writes goes into the layer, which shows what it was. A copy that equals the
original is no change (a `touch`, an open for reading and writing). What is created and removed
again leaves no trace and counts as no change.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from dataagent_core.config.limits import LOOK_COMPARED_BYTES_MAX, LOOK_WRITES_TOLD_MAX

_OPAQUE = "user.overlay.opaque"


class LookLayer:
    """The upper folder of an overlay and its work folder; both are removed with the stack."""

    def __init__(self, parent: Path, mode: int, owner: int | None, stack: ExitStack) -> None:
        folder = Path(tempfile.mkdtemp(prefix="look-", dir=parent))
        stack.callback(_remove_folder, folder)
        # The command may run as another user, who must be able to reach it.
        folder.chmod(0o711)
        self.upper = folder / "upper"
        self.work = folder / "work"
        for made in (self.upper, self.work):
            made.mkdir(mode=0o700)
            if owner is not None:
                os.chown(made, owner, -1)
        # The layer's own folder is what the command sees as the workspace's.
        self._mode = mode
        self.upper.chmod(stat.S_IMODE(mode))
        self.descriptor = os.open(self.upper, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, self.descriptor)

    def list_writes(self, workspace_fd: int) -> tuple[str, ...]:
        """List what was written, up to a limit, by its path in the workspace; without caches."""
        names = [] if os.fstat(self.descriptor).st_mode == self._mode else ["/"]
        for path in _list_changed_paths(self.descriptor, workspace_fd):
            if not is_cache(path):
                names.append(f"/{path}")
            if len(names) >= LOOK_WRITES_TOLD_MAX:
                break
        return tuple(names)


def is_cache(path: str) -> bool:
    """Say whether a program keeps something there only to be faster the next time."""
    names = path.split("/")
    return "__pycache__" in names or names[-2:] == [".git", "index"]


def _list_changed_paths(upper_fd: int, lower_fd: int) -> Iterator[str]:
    for folder, folders, files, current in os.fwalk(".", dir_fd=upper_fd, follow_symlinks=False):
        base = folder.removeprefix(".").strip("/")
        for name in (*sorted(folders), *sorted(files)):
            path = f"{base}/{name}".strip("/")
            if not _is_same(current, name, lower_fd, path):
                yield path


def _is_same(current: int, name: str, lower_fd: int, path: str) -> bool:
    """Compare an entry of the layer with the workspace's; links are never followed."""
    now = _stat(name, current)
    if now is None or not stat.S_ISDIR(now.st_mode):
        return _is_same_file(current, name, lower_fd, path)
    before = _stat(path, lower_fd)
    if before is None or before.st_mode != now.st_mode:
        return False
    with suppress(OSError):
        return os.getxattr(f"/proc/self/fd/{current}/{name}", _OPAQUE) != b"y"
    return True


def _is_same_file(current: int, name: str, lower_fd: int, path: str) -> bool:
    now, before = _stat(name, current), _stat(path, lower_fd)
    if now is None or before is None or now.st_mode != before.st_mode:
        return False
    if stat.S_ISLNK(now.st_mode):
        return os.readlink(name, dir_fd=current) == os.readlink(path, dir_fd=lower_fd)
    comparable = stat.S_ISREG(now.st_mode) and now.st_size <= LOOK_COMPARED_BYTES_MAX
    if not comparable or now.st_size != before.st_size:
        return False
    return _read_content(name, current) == _read_content(path, lower_fd)


def _stat(path: str, folder_fd: int) -> os.stat_result | None:
    try:
        return os.stat(path, dir_fd=folder_fd, follow_symlinks=False)
    except OSError:
        return None


def _read_content(path: str, folder_fd: int) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder_fd)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read(LOOK_COMPARED_BYTES_MAX)


def _remove_folder(folder: Path) -> None:
    # The kernel leaves a folder inside that nobody may read.
    with suppress(OSError):
        (folder / "work" / "work").chmod(stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)
