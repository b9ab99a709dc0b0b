"""The files a search looks at, in byte order of their paths: proposed by ripgrep or by a walk."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.config.limits import WALK_ENTRIES_MAX
from dataagent_core.sandbox.files.file_node import NodeKind
from dataagent_core.sandbox.paths.tool_paths import PathParts
from dataagent_core.tools.files.mounts import MountedPath
from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.ignore_rules import IgnoreRules

# Asks ripgrep about an open folder: the files it proposes, or `None` if they must be walked.
Proposer = Callable[[int], list[PathParts] | None]
PathTest = Callable[[PathParts], bool]


@dataclass(frozen=True, slots=True)
class FileMatches:
    """Paths from the folder's root; `complete` says that the walk met no limit."""

    files: list[PathParts]
    complete: bool


def find_files(
    place: MountedPath, wanted: PathTest, propose: Proposer, deadline: SearchDeadline
) -> FileMatches:
    """Find the regular files below a folder that pass `wanted` and that no rule passes over."""
    rules = IgnoreRules(place.root, place.inside)
    proposed = _propose_files(place, propose)
    below = len(place.inside)

    def counts(parts: PathParts) -> bool:
        return place.mount.shows(parts) and wanted(parts[below:])

    if proposed is None or len(proposed) > WALK_ENTRIES_MAX:
        return _walk_files(place, rules, counts, deadline)
    files = [(*place.inside, *parts) for parts in proposed]
    files = [parts for parts in files if counts(parts) and not rules.hides(parts)]
    return FileMatches(sorted(files, key=_bytes), complete=True)


def _propose_files(place: MountedPath, propose: Proposer) -> list[PathParts] | None:
    folder = place.root.open_directory(place.path)
    if folder is None:  # on a machine elsewhere, where our ripgrep is not
        return None
    try:
        return propose(folder)
    finally:
        os.close(folder)


def _walk_files(
    place: MountedPath, rules: IgnoreRules, counts: PathTest, deadline: SearchDeadline
) -> FileMatches:
    def enter(parts: PathParts, kind: NodeKind) -> bool:
        if kind == "dir":
            deadline.left_s()
        return not rules.passes_over(parts, kind)

    walked = place.root.walk(place.path, enter)
    return FileMatches([parts for parts in walked.files if counts(parts)], walked.complete)


def _bytes(parts: PathParts) -> tuple[bytes, ...]:
    return tuple(os.fsencode(name) for name in parts)
