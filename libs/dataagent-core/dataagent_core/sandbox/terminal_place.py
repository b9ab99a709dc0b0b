"""Where a folder of this computer is shown to programs: at its real path, unless that is taken."""

from pathlib import Path
from typing import Final

from dataagent_core.errors import DirectoryError
from dataagent_core.sandbox.bwrap_base import BASE_ROOTS
from dataagent_core.sandbox.workspace_place import SERVER_PLACE, WorkspacePlace

# Made for each sandbox, or the kernel's: nothing can be shown below.
_MADE_ANEW: Final = ("/etc", "/dev", "/proc", "/sys", "/opt/dataagent")
# A workspace that holds one of these would cover it.
_OWN: Final = (*BASE_ROOTS, *_MADE_ANEW, "/tmp")  # noqa: S108 (the sandbox's)


def terminal_place(workspace: Path) -> WorkspacePlace:
    """Give the place of a folder, named by its real path; `/` itself is refused."""
    path = str(workspace)
    if path == "/":
        raise DirectoryError(
            "The workspace cannot be '/': the whole computer would be in the agent's hands. "
            "Start in the folder of a project."
        )
    covers = any(own == path or own.startswith(f"{path}/") for own in _OWN)
    covered = any(path.startswith(f"{own}/") for own in _MADE_ANEW)
    return SERVER_PLACE if covers or covered else WorkspacePlace(path)
