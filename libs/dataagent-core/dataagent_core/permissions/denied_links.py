"""Other names of files that rules deny to read: hard links elsewhere in the workspace.

They are looked for only where a denied file has more than one name.
"""

import os
import stat
from collections.abc import Iterator

from dataagent_core.config.limits import DENIED_ENTRIES_MAX
from dataagent_core.permissions.denied_reads import DeniedReads
from dataagent_core.permissions.folder_entries import entries_of
from dataagent_core.sandbox.closed_places import Identity
from dataagent_core.sandbox.masks import Mask


def files_with_more_names(workspace_fd: int, denied: DeniedReads) -> frozenset[Identity]:
    """Name the denied files that have another name, by device and inode. It blocks."""
    found: set[Identity] = set()
    for start in denied.starts:
        for path in (start, *_files_below(start, workspace_fd)):
            if path and denied.holds(f"/{path}"):
                status = _status(path, workspace_fd)
                if status and stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                    found.add((status.st_dev, status.st_ino))
    return frozenset(found)


def other_names(workspace_fd: int, denied: DeniedReads) -> Iterator[Mask]:
    """Find the names that no rule denies of files that rules deny. It blocks."""
    wanted = files_with_more_names(workspace_fd, denied)
    if not wanted:
        return
    for path in _files_below("", workspace_fd):
        status = _status(path, workspace_fd)
        if status is None or (status.st_dev, status.st_ino) not in wanted:
            continue
        if not denied.holds(f"/{path}"):
            yield Mask(f"/{path}", is_folder=False, identity=(status.st_dev, status.st_ino))


def _files_below(start: str, workspace_fd: int) -> Iterator[str]:
    waiting, left = [start], DENIED_ENTRIES_MAX
    while waiting and left > 0:
        folder = waiting.pop()
        for name, kind in entries_of(folder, workspace_fd):
            left -= 1
            path = f"{folder}/{name}".strip("/")
            if kind == stat.S_IFDIR:
                waiting.append(path)
            elif kind == stat.S_IFREG:
                yield path


def _status(path: str, workspace_fd: int) -> os.stat_result | None:
    try:
        return os.stat(path, dir_fd=workspace_fd, follow_symlinks=False)
    except OSError:
        return None
