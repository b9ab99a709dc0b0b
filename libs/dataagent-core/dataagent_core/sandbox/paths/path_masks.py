"""What of the folders it finds a command may not see: covered before it starts, for all programs.

A covered file or folder is there and cannot be opened. It is not empty: git would take that for a
change, and commit it.
"""

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from dataagent_core.sandbox.paths.closed_paths import FileIdentity


class PathMask(NamedTuple):
    """One path from the folder's root, what is there now, and whether it is a folder.

    `pinned` are the folders above it that may not be renamed: under another name nobody would know
    that it is to be covered.
    """

    path: str
    is_folder: bool
    identity: FileIdentity
    pinned: tuple[str, ...] = ()


class ReadDenials(Protocol):
    """What may not be read of a folder that the agent sees."""

    def holds(self, path: str) -> bool:
        """Say whether a path is denied, from the folder's root and after links."""
        ...

    def holds_file(self, folder_fd: int, identity: FileIdentity) -> bool:
        """Say whether a denied path is another name of a file. It blocks."""
        ...


# Says what may not be read now; None if everything may.
FindDenials = Callable[[], ReadDenials | None]

# Finds what to cover in a folder, open as a descriptor. It blocks.
FindMasks = Callable[[int], Sequence[PathMask]]


class DeniedFolder(NamedTuple):
    """A folder of the host, and what finds in it what may not be read."""

    path: Path
    find: FindMasks


def deny_nothing() -> None:
    """Deny nothing."""


def find_no_masks(_folder_fd: int) -> Sequence[PathMask]:
    """Cover nothing."""
    return ()


def find_existing_masks(workspace_fd: int, names: Sequence[str]) -> tuple[PathMask, ...]:
    """Choose those paths that are there; they are real ones from the workspace's root."""
    found: list[PathMask] = []
    for name in names:
        try:
            status = os.stat(name, dir_fd=workspace_fd, follow_symlinks=False)
        except OSError:
            continue  # nothing is there to be covered
        identity = status.st_dev, status.st_ino
        found.append(PathMask(name, stat.S_ISDIR(status.st_mode), identity))
    return tuple(found)
