"""Places beneath a root that are closed to every tool: DataAgent's own folder, if it lies there.

A place is known by its names and by its identity, so that neither a link nor another spelling leads
in, and a file that is not there yet cannot be made.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dataagent_core.errors import DeniedError
from dataagent_core.sandbox.paths.tool_paths import PathParts

FileIdentity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClosedPaths:
    """The closed places of one root, by their names from it."""

    root: Path
    names: tuple[PathParts, ...] = ()

    @classmethod
    def beneath(cls, root: Path, places: Iterable[Path]) -> Self:
        """Choose those that are the root or lie beneath it, after links. It blocks."""
        real = Path(os.path.realpath(root))
        found = {Path(os.path.realpath(place)) for place in places}
        inside = sorted(place for place in found if place.is_relative_to(real))
        return cls(real, tuple(place.relative_to(real).parts for place in inside))

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def paths(self) -> list[Path]:
        """Name them on the host."""
        return [self.root.joinpath(*names) for names in self.names]

    @property
    def outermost(self) -> list[PathParts]:
        """Those that lie in no other: a folder that is covered hides what is in it."""
        return [
            names
            for names in self.names
            if not any(names[: len(other)] == other for other in self.names if other != names)
        ]

    @property
    def identities(self) -> frozenset[FileIdentity]:
        """Name those that exist now by device and inode. It blocks."""
        found = (read_path_identity(path) for path in self.paths)
        return frozenset(filter(None, found))

    def hold(self, parts: PathParts) -> bool:
        """Say whether a path is, or lies in, a closed place by its names."""
        return any(parts[: len(names)] == names for names in self.names)

    def refuse(
        self, path: str, parts: PathParts, directory_fds: Iterable[int], last: FileIdentity | None
    ) -> None:
        """Raise if a path that was gone down, name by name, led into a closed place."""
        if not self.names:
            return
        identities = self.identities
        reached = (read_descriptor_identity(descriptor) for descriptor in directory_fds)
        if self.hold(parts) or last in identities or not identities.isdisjoint(reached):
            raise DeniedError(
                f"{path!r} is closed to tools: DataAgent keeps its own settings, keys and history "
                "there. Ask the person to look themselves."
            )


def read_path_identity(path: Path) -> FileIdentity | None:
    """Give device and inode of what is at a path, if there is anything."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def read_descriptor_identity(descriptor: int) -> FileIdentity:
    """Give device and inode of what is open."""
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino
