"""What is in a folder of a workspace that is held open; no link is followed to it."""

import os
import stat

_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def entries_of(path: str, workspace_fd: int) -> list[tuple[str, int]]:
    """List a folder with the kind of each entry, as `stat.S_IFMT` gives it; empty if it is none."""
    try:
        folder = os.open(path or ".", _LIST, dir_fd=workspace_fd)
    except OSError:
        return []
    try:
        with os.scandir(folder) as entries:
            return [(entry.name, _kind(entry)) for entry in entries]
    finally:
        os.close(folder)


def _kind(entry: os.DirEntry[str]) -> int:
    if entry.is_symlink():
        return stat.S_IFLNK
    return stat.S_IFDIR if entry.is_dir(follow_symlinks=False) else stat.S_IFREG
