"""Folders of the host that commands may read, found again before each command: those of skills.

A folder may be missing when the sandbox is opened and be there later, and one inside the workspace
may be exchanged for a link. So each is opened when a command starts, and what was opened is bound.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.paths.path_masks import FindMasks, PathMask, find_no_masks

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFolder:
    """A folder that commands find at `dest`, read-only; one that is missing is left out.

    It is shown only if it really lies beneath `within`, without what `find_masks` finds.
    """

    source: Path
    dest: str
    within: Path | None = None
    find_masks: FindMasks = find_no_masks


class OpenedFolders(NamedTuple):
    """What of the folders is there, and what of it is covered, by its path inside."""

    binds: tuple[BindMount, ...]
    masks: tuple[PathMask, ...]


def open_shown_folders(folders: Sequence[ShownFolder], stack: ExitStack) -> OpenedFolders:
    """Open what is there now; the descriptors are closed with the stack. It blocks."""
    binds: list[BindMount] = []
    masks: list[PathMask] = []
    for folder in folders:
        descriptor = open_shown_folder(folder)
        if descriptor is not None:
            stack.callback(os.close, descriptor)
            binds.append(BindMount(str(folder.source), folder.dest, descriptor))
            masks += (
                # Nothing in it can be renamed.
                mask._replace(path=f"{folder.dest}{mask.path}", pinned=())
                for mask in folder.find_masks(descriptor)
            )
    return OpenedFolders(tuple(binds), tuple(masks))


def find_shown_masks(folders: Sequence[ShownFolder]) -> tuple[PathMask, ...]:
    """Find what would be covered now. It blocks."""
    with ExitStack() as stack:
        return open_shown_folders(folders, stack).masks


def open_shown_folder(folder: ShownFolder) -> int | None:
    """Open one folder; None if it is not there, or leads out of where it has to be."""
    try:
        descriptor = os.open(folder.source, _FOLDER)
    except OSError:
        return None
    # Of what was opened: the path may lead elsewhere by now.
    real = Path(f"/proc/self/fd/{descriptor}").readlink()
    if folder.within is None or real.is_relative_to(folder.within):
        return descriptor
    os.close(descriptor)
    return None
