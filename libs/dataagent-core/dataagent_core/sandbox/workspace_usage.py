"""How much a directory holds. Links are not followed, and a file with two names counts once."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Usage:
    """Files and their bytes."""

    files: int
    size_bytes: int


def usage_of(directory: Path) -> Usage:
    """Count what is beneath a directory; one that does not exist holds nothing."""
    sizes: dict[tuple[int, int], int] = {}
    folders = [os.fspath(directory)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        status = entry.stat(follow_symlinks=False)
                        sizes[status.st_dev, status.st_ino] = status.st_size
        except (FileNotFoundError, NotADirectoryError):
            continue  # removed or replaced while we looked
    return Usage(len(sizes), sum(sizes.values()))
