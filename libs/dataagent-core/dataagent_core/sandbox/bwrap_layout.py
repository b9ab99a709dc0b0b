"""How the workspace appears inside, so that `/a.txt` and `a.txt` are the same file.

overlay  The workspace is the upper layer of the root over a skeleton of empty folders, on which the
         base is mounted. `/` is the workspace; nothing is left in it. The usual way.
links    The workspace is at /workspace and the working directory; each of its top-level names is a
         link in a read-only root. Where overlays cannot be mounted, and where the workspace has a
         top-level name of the base itself (`bin`, `lib`, `etc`, `tmp` ...): `bin/x` is then the
         workspace's and `/bin/x` the base's. A new `/name` is refused as read-only, never lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from dataagent_core.config.limits import SANDBOX_TOP_LEVEL_NAMES_MAX
from dataagent_core.errors import ValidationError

LINKS_ROOT = "/workspace"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the workspace is inside, which names are linked, and which are hidden."""

    kind: Literal["overlay", "links"]
    workspace: str
    linked: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    def inside(self, path: str) -> str:
        """Turn a path from the workspace root into one inside the sandbox."""
        parts = PurePosixPath("/", path).parts[1:]
        if ".." in parts:
            raise ValidationError(f"{path!r} leads out of the workspace: leave out '..'.")
        return str(PurePosixPath(self.workspace, *parts))


def choose_layout(
    top_level: Iterable[str], taken: frozenset[str], *, overlay_possible: bool
) -> Layout:
    """Choose the way; see the module for why there are two."""
    names = sorted(top_level)
    if overlay_possible and not taken.intersection(names):
        return Layout("overlay", "/")
    taken = taken | {LINKS_ROOT.strip("/")}
    linked = [name for name in names if name not in taken]
    return Layout(
        "links",
        LINKS_ROOT,
        linked=tuple(linked[:SANDBOX_TOP_LEVEL_NAMES_MAX]),
        hidden=tuple(name for name in names if name in taken),
    )
