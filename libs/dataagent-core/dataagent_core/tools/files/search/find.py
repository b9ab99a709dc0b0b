"""The files a search looks at, in byte order of their paths: proposed by ripgrep or by a walk."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.config.limits import WALK_ENTRIES_MAX
from dataagent_core.sandbox.safe_node import Kind
from dataagent_core.sandbox.safe_paths import Parts
from dataagent_core.tools.files.mounts import Place
from dataagent_core.tools.files.search.deadline import Deadline
from dataagent_core.tools.files.search.ignore import IgnoreRules

# Asks ripgrep about an open folder: the files it proposes, or `None` if they must be walked.
Proposer = Callable[[int], list[Parts] | None]
Test = Callable[[Parts], bool]


@dataclass(frozen=True, slots=True)
class Found:
    """Paths from the folder's root; `complete` says that the walk met no limit."""

    files: list[Parts]
    complete: bool


def find_files(place: Place, wanted: Test, propose: Proposer, deadline: Deadline) -> Found:
    """Find the regular files below a folder that pass `wanted` and that no rule passes over."""
    rules = IgnoreRules(place.root, place.inside)
    proposed = _proposed(place, propose)
    below = len(place.inside)

    def counts(parts: Parts) -> bool:
        return place.mount.shows(parts) and wanted(parts[below:])

    if proposed is None or len(proposed) > WALK_ENTRIES_MAX:
        return _walked(place, rules, counts, deadline)
    files = [(*place.inside, *parts) for parts in proposed]
    files = [parts for parts in files if counts(parts) and not rules.hides(parts)]
    return Found(sorted(files, key=_bytes), complete=True)


def _proposed(place: Place, propose: Proposer) -> list[Parts] | None:
    folder = place.root.open_directory(place.path)
    if folder is None:  # on a machine elsewhere, where our ripgrep is not
        return None
    try:
        return propose(folder)
    finally:
        os.close(folder)


def _walked(place: Place, rules: IgnoreRules, counts: Test, deadline: Deadline) -> Found:
    def enter(parts: Parts, kind: Kind) -> bool:
        if kind == "dir":
            deadline.left_s()
        return not rules.passes_over(parts, kind)

    walked = place.root.walk(place.path, enter)
    return Found([parts for parts in walked.files if counts(parts)], walked.complete)


def _bytes(parts: Parts) -> tuple[bytes, ...]:
    return tuple(os.fsencode(name) for name in parts)
