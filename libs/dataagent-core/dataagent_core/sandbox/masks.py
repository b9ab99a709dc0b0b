"""What of the workspace a command may not see: covered before it starts, for every program.

A covered file or folder is there and cannot be opened. It is not empty: git would take that for a
change, and commit it.
"""

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
