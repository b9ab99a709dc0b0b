"""What the agent sees: its workspace as `/`, and a few folders beside it under fixed names.

The folders beside it (notes, skills, long results) can be reached but are not listed among the
person's files. Each says whether it may be written, and which of its names are shown at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dataagent_core.errors import DeniedError, NotFoundError
from dataagent_core.sandbox.root import Root
from dataagent_core.sandbox.safe_paths import Parts, parts_of, shown_path
from dataagent_core.sandbox.workspace_place import NO_PLACE, WorkspacePlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A folder shown to the agent; `names` are the only entries it sees, `None` means all."""

    root: Root
    writable: bool = False
    names: frozenset[str] | None = None

    def shows(self, inside: Parts) -> bool:
        """Say whether a path inside this folder exists for the agent."""
        return self.names is None or not inside or inside[0] in self.names


@dataclass(frozen=True, slots=True)
class Place:
    """A path of the agent, found: which folder it is in, and where in that folder."""

    mount: Mount
    prefix: Parts
    inside: Parts
    workspace_place: WorkspacePlace = NO_PLACE

    @property
    def root(self) -> Root:
        return self.mount.root

    @property
    def path(self) -> str:
        """Name it for the folder's own root."""
        return shown_path(self.inside)

    @property
    def shown(self) -> str:
        """Name it as the agent does."""
        return shown_path((*self.prefix, *self.inside))

    def listed(self, inside: Parts) -> str:
        """Name something of this folder so that a file tool called with it finds it again."""
        return self.workspace_place.shown(shown_path((*self.prefix, *inside)))

    def to_search(self) -> "Place":
        """Return the place as one search looks at it."""
        return replace(self, mount=replace(self.mount, root=self.root.for_search()))

    def to_change(self) -> "Place":
        """Return the place itself, if it may be written."""
        if not self.mount.writable:
            raise DeniedError(
                f"{self.shown!r} is read-only: nothing may be changed under "
                f"{shown_path(self.prefix)}. Write into the workspace instead."
            )
        return self


@dataclass(frozen=True, slots=True)
class Mounts:
    """The workspace and what is mounted beside it, by prefix (`/skills/project/`)."""

    workspace: Root
    beside: Mapping[str, Mount] = field(default_factory=dict[str, Mount])
    place: WorkspacePlace = NO_PLACE

    def locate(self, path: str) -> Place:
        """Find the folder a path belongs to; the longest prefix wins."""
        parts = parts_of(path)
        for prefix, mount in self._longest_first():
            if parts[: len(prefix)] == prefix:
                inside = parts[len(prefix) :]
                if not mount.shows(inside):
                    raise NotFoundError(f"There is no {shown_path(parts)!r}. Look with ls or glob.")
                return Place(mount, prefix, inside, self.place)
        return Place(Mount(root=self.workspace, writable=True), (), parts, self.place)

    def _longest_first(self) -> list[tuple[Parts, Mount]]:
        mounts = [(parts_of(prefix), mount) for prefix, mount in self.beside.items()]
        return sorted(mounts, key=lambda pair: -len(pair[0]))
