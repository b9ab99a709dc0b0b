"""Where programs see the workspace, and the translation between their paths and ours. Pure.

Rules, events, artifacts and logs use paths from the root of the workspace (`/a.txt`), which stay
valid when the folder moves. Programs see it at its real path in the terminal, unless that path is
taken, and at `/workspace` on a server. Permissions and tools both use this translation. Nothing is
opened.
"""

import posixpath
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.sandbox.bubblewrap.system_binds import BASE_ROOTS


class ProgramPath(NamedTuple):
    """What a program's path means: one of the workspace, or (`outside`) one of the system."""

    path: str
    outside: bool = False


@dataclass(frozen=True, slots=True)
class WorkspaceLocation:
    """The folder programs see the workspace at; `/` where there is nothing to translate."""

    path: str = "/"

    def __post_init__(self) -> None:
        if not self.path.startswith("/") or self.path != _normal(self.path):
            raise ValueError(f"{self.path!r} is not an absolute path in its shortest form")

    def inside(self, path: str) -> str:
        """Turn a path from the workspace's root into a program's."""
        parts = PurePosixPath("/", path).parts[1:]
        if ".." in parts:
            raise ValidationError(f"{path!r} leads out of the workspace: leave out '..'.")
        return str(PurePosixPath(self.path, *parts))

    def from_program(self, path: str, cwd: str = "/") -> ProgramPath:
        """Say what a program means by a path; relative ones begin at `cwd` of the workspace."""
        full = _normal(posixpath.join(self.path, cwd.lstrip("/"), path))
        inner = self._below(full)
        return ProgramPath(full, outside=True) if inner is None else ProgramPath(inner)

    def from_tool(self, path: str) -> str:
        """Turn a file tool's path into one from the workspace's root.

        A path below the place loses it; any other is taken to begin at the root already.
        """
        if self.path == "/" or not path.startswith("/"):
            return path
        names = [name for name in path.split("/") if name not in {"", "."}]
        own = self.path.strip("/").split("/")
        return "/" + "/".join(names[len(own) :]) if names[: len(own)] == own else path

    def shown(self, path: str) -> str:
        """Write a path of the workspace so that `from_tool` gives it back."""
        return path if self.from_tool(path) == path else self.inside(path)

    def _below(self, full: str) -> str | None:
        if self.path == "/":
            return full
        if full == self.path:
            return "/"
        return full[len(self.path) :] if full.startswith(self.path + "/") else None


def _normal(path: str) -> str:
    # `normpath` leaves two leading slashes as they are.
    return "/" + posixpath.normpath(path).lstrip("/")


# Nothing is translated: there are no commands, or they run on a machine elsewhere.
ROOT_LOCATION: Final = WorkspaceLocation()
SERVER_LOCATION: Final = WorkspaceLocation("/workspace")

# Made for each sandbox, or the kernel's: nothing can be shown below.
_MADE_ANEW: Final = ("/etc", "/dev", "/proc", "/sys", "/opt/dataagent", "/skills")
# A workspace that holds one of these would cover it.
_OWN: Final = (*BASE_ROOTS, *_MADE_ANEW, "/tmp")  # noqa: S108 (the sandbox's)


def locate_terminal_workspace(workspace: Path) -> WorkspaceLocation:
    """Give the place of a folder, named by its real path; `/` itself is refused."""
    path = str(workspace)
    if path == "/":
        raise DirectoryError(
            "The workspace cannot be '/': the whole computer would be in the agent's hands. "
            "Start in the folder of a project."
        )
    covers = any(own == path or own.startswith(f"{path}/") for own in _OWN)
    covered = any(path.startswith(f"{own}/") for own in _MADE_ANEW)
    return SERVER_LOCATION if covers or covered else WorkspaceLocation(path)
