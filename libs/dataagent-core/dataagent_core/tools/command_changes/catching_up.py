"""Tells the files whose content is known from those that must be read, and reads those."""

import hashlib
import itertools
import time
from dataclasses import dataclass, field

from dataagent_core.config.limits import SHADOW_BATCH_FILES, SHADOW_READ_S_MAX, SHADOW_STAMP_NS
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.safe_survey import Stamp
from dataagent_core.tools.command_changes.budget import Budget
from dataagent_core.tools.command_changes.reading import content_of
from dataagent_core.tools.command_changes.snapshot import FileState
from dataagent_core.tools.command_changes.store import ContentStore, Indexed

Known = dict[str, tuple[Stamp, FileState]]


@dataclass(frozen=True, slots=True)
class Recognised:
    """The states that are known, the files to read, and those that are only measured."""

    states: dict[str, FileState]
    unread: dict[str, Stamp]
    refused: set[str]

    def keeps(self, path: str) -> bool:
        """Say whether a file's content is, or will be, in the store."""
        return path in self.unread or (path in self.states and path not in self.refused)


@dataclass(slots=True)
class Taken:
    """What was read: the states, those of them that will be known by their stamp, the bytes."""

    states: dict[str, FileState] = field(default_factory=dict[str, FileState])
    known: Known = field(default_factory=Known)
    size_bytes: int = 0


def recognised(files: dict[str, Stamp], known: Known) -> Recognised:
    """Compare stamps, in the order of the survey, until there is no more to be kept. Pure."""
    budget = Budget()
    found = Recognised({}, {}, set())
    for path, stamp in files.items():
        if not budget.takes(stamp.size_bytes):
            found.states[path] = FileState.of(stamp, None)
            found.refused.add(path)
            continue
        before = known.get(path)
        if before is not None and before[0] == stamp:
            found.states[path] = before[1]
        else:
            found.unread[path] = stamp
    return found


def take_in(root: SafeRoot, unread: dict[str, Stamp], taken_ns: int, store: ContentStore) -> Taken:
    """Read files into the store; what there is no time for is measured, and read next time."""
    taken = Taken()
    deadline_s = time.monotonic() + SHADOW_READ_S_MAX
    waiting = iter(unread.items())
    while batch := list(itertools.islice(waiting, SHADOW_BATCH_FILES)):
        contents: dict[str, bytes] = {}
        settled: dict[str, Indexed] = {}
        for path, stamp in batch:
            late = time.monotonic() > deadline_s
            data = None if late else content_of(root, path, stamp)
            sha256 = None if data is None else hashlib.sha256(data).hexdigest()
            taken.states[path] = FileState.of(stamp, sha256)
            if data is not None and sha256 is not None:
                contents[sha256] = data
                taken.size_bytes += len(data)
                if stamp.changed_ns < taken_ns - SHADOW_STAMP_NS:
                    settled[path] = Indexed(stamp, sha256)
        store.keep(contents, settled)
        taken.known |= {path: (kept.stamp, taken.states[path]) for path, kept in settled.items()}
    return taken
