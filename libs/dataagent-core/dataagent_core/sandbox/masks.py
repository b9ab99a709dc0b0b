"""What of the workspace a command may not see: covered before it starts, for every program.

A covered file or folder is there and cannot be opened. It is not empty: git would take that for a
change, and commit it.
"""

import os
import stat
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Mask(NamedTuple):
    """One path from the workspace's root, and whether it is a folder."""

    path: str
    is_folder: bool


# Finds what to cover in a workspace, open as a descriptor. It blocks.
FindMasks = Callable[[int], Sequence[Mask]]


def no_masks(_workspace_fd: int) -> Sequence[Mask]:
    """Cover nothing."""
    return ()


def existing_masks(workspace_fd: int, names: Sequence[str]) -> tuple[Mask, ...]:
    """Choose those paths that are there; they are real ones from the workspace's root."""
    found: list[Mask] = []
    for name in names:
        try:
            mode = os.stat(name, dir_fd=workspace_fd, follow_symlinks=False).st_mode
        except OSError:
            continue  # nothing is there to be covered
        found.append(Mask(name, stat.S_ISDIR(mode)))
    return tuple(found)
