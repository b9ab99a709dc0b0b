"""Folders of the host that commands may read, found again before each command: those of skills.

A folder may be missing when the sandbox is opened and be there later, and one inside the workspace
may be exchanged for a link. So each is opened when a command starts, and what was opened is bound.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.sandbox.bubblewrap.system_binds import BindMount

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFolder:
    """A folder that commands find at `dest`, read-only; one that is missing is left out.

    It is shown only if it really lies beneath `within`.
    """

    source: Path
    dest: str
    within: Path | None = None


def open_shown_folders(folders: Sequence[ShownFolder], stack: ExitStack) -> tuple[BindMount, ...]:
    """Open what is there now; the descriptors are closed with the stack."""
    found = ((folder, open_shown_folder(folder)) for folder in folders)
    binds: list[BindMount] = []
    for folder, descriptor in found:
        if descriptor is not None:
            stack.callback(os.close, descriptor)
            binds.append(BindMount(str(folder.source), folder.dest, descriptor))
    return tuple(binds)


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
