"""Places of the workspace that a command does not find: something empty is mounted over each.

The folders above are mounts of their own (`bwrap_protected.hold`), so that none can be renamed to
uncover what lies in it.
"""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.sandbox.workspace_place import WorkspacePlace


@dataclass(frozen=True, slots=True)
class Mask:
    """A place that exists, from the workspace's root."""

    path: str
    is_folder: bool


def masks(root_fd: int, names: Sequence[str]) -> tuple[Mask, ...]:
    """Choose the names that are there now, whose real paths from the root they are."""
    found: list[Mask] = []
    for name in names:
        try:
            mode = os.stat(name, dir_fd=root_fd, follow_symlinks=False).st_mode
        except OSError:
            continue
        found.append(Mask(name, stat.S_ISDIR(mode)))
    return tuple(found)


def mask_args(wanted: Sequence[Mask], place: WorkspacePlace, empty_file: str) -> list[str]:
    """Write them for bubblewrap, to come after the workspace. Pure."""
    args: list[str] = []
    for mask in wanted:
        path = place.inside(mask.path)
        if mask.is_folder:
            args += ["--perms", "0555", "--tmpfs", path, "--remount-ro", path]
        else:
            args += ["--ro-bind", empty_file, path]
    return args
