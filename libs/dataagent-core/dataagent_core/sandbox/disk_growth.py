"""How much a running command has added to the workspace.

The free space of the file system is asked first: that costs a microsecond. Only when it has shrunk
by more than the limit, and somebody else may be the reason, are the files counted that changed
since the command began.
"""

import os
import stat
from collections.abc import Iterator

_BLOCK_BYTES = 512


def free_bytes(folder_fd: int) -> int:
    """Say how much the file system of a folder still takes."""
    stats = os.fstatvfs(folder_fd)
    return stats.f_bfree * stats.f_frsize


def free_files(folder_fd: int) -> int:
    """Say how many files the file system still takes; some do not know and say 0."""
    return os.fstatvfs(folder_fd).f_ffree


def changed_since(folder_fd: int, since_ns: int, entries_max: int) -> tuple[int, int]:
    """Sum what entries changed since `since_ns` occupy, and count them; looks at `entries_max`."""
    total_bytes = count = 0
    for seen, stats in enumerate(_entries(folder_fd)):
        if seen >= entries_max:
            break
        if stats.st_ctime_ns >= since_ns:
            count += 1
            if not stat.S_ISDIR(stats.st_mode):
                total_bytes += stats.st_blocks * _BLOCK_BYTES
    return total_bytes, count


def _entries(folder_fd: int) -> Iterator[os.stat_result]:
    for _, folders, names, current_fd in os.fwalk(".", dir_fd=folder_fd, follow_symlinks=False):
        for name in (*folders, *names):
            try:
                yield os.stat(name, dir_fd=current_fd, follow_symlinks=False)
            except OSError:
                continue
