"""What the agent sees: its workspace as `/`, and a few folders beside it under fixed names.

The folders beside it (notes, skills, long results) can be reached but are not listed among the
person's files. Each says whether it may be written, and which of its names are shown at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dataagent_core.errors import DeniedError, NotFoundError
from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path, split_path
from dataagent_core.sandbox.paths.workspace_location import ROOT_LOCATION, WorkspaceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A folder shown to the agent; `names` are the only entries it sees, `None` means all."""

    root: Root
    writable: bool = False
    names: frozenset[str] | None = None

    def shows(self, inside: PathParts) -> bool:
        """Say whether a path inside this folder exists for the agent."""
        return self.names is None or not inside or inside[0] in self.names


@dataclass(frozen=True, slots=True)
class MountedPath:
    """A path of the agent, found: which folder it is in, and where in that folder."""

    mount: Mount
    prefix: PathParts
    inside: PathParts
    workspace_place: WorkspaceLocation = ROOT_LOCATION

    @property
    def root(self) -> Root:
        return self.mount.root

    @property
    def path(self) -> str:
        """Name it for the folder's own root."""
        return format_path(self.inside)

    @property
    def display_path(self) -> str:
        """Name it as the agent does."""
        return format_path((*self.prefix, *self.inside))

    def format_listed(self, inside: PathParts) -> str:
        """Name something of this folder so that a file tool called with it finds it again."""
        return self.workspace_place.shown(format_path((*self.prefix, *inside)))

    def to_search(self) -> "MountedPath":
        """Return the place as one search looks at it."""
        return replace(self, mount=replace(self.mount, root=self.root.for_search()))

    def to_change(self) -> "MountedPath":
        """Return the place itself, if it may be written."""
        if not self.mount.writable:
            raise DeniedError(
                f"{self.display_path!r} is read-only: nothing may be changed under "
                f"{format_path(self.prefix)}. Write into the workspace instead."
            )
        return self


@dataclass(frozen=True, slots=True)
class Mounts:
    """The workspace and what is mounted beside it, by prefix (`/skills/project/`)."""

    workspace: Root
    beside: Mapping[str, Mount] = field(default_factory=dict[str, Mount])
    place: WorkspaceLocation = ROOT_LOCATION

    def locate(self, path: str) -> MountedPath:
        """Find the folder a path belongs to; the longest prefix wins."""
        parts = split_path(path)
        for prefix, mount in self._longest_first():
            if parts[: len(prefix)] == prefix:
                inside = parts[len(prefix) :]
                if not mount.shows(inside):
                    raise NotFoundError(
                        f"There is no {format_path(parts)!r}. Look with ls or glob."
                    )
                return MountedPath(mount, prefix, inside, self.place)
        return MountedPath(Mount(root=self.workspace, writable=True), (), parts, self.place)

    def _longest_first(self) -> list[tuple[PathParts, Mount]]:
        mounts = [(split_path(prefix), mount) for prefix, mount in self.beside.items()]
        return sorted(mounts, key=lambda pair: -len(pair[0]))
