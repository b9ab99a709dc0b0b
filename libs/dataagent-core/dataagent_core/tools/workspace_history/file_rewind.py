"""Takes files back, one by one: each whole or not at all, each written down once it is done.

A crash in between leaves files that went back and files that did not; doing it again finishes it.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.files.file_restore import CurrentContent, StoredContent
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.command_changes.snapshot_diff import SnapshotChange
from dataagent_core.tools.command_changes.workspace_shadow import ReadContent
from dataagent_core.tools.command_changes.workspace_snapshot import FileState
from dataagent_core.tools.workspace_history.rewind_plan import FileHistory, KeptFile, is_same_state

Done = Callable[[SnapshotChange], None]


@dataclass(slots=True)
class FileRewindResult:
    """What became of the files."""

    restored: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    kept: list[KeptFile] = field(default_factory=list[KeptFile])


def rewind_files(
    root: SafeRoot, told: list[FileHistory], contents: ReadContent, done: Done
) -> FileRewindResult:
    """Take every file back that may go back. It blocks."""
    result = FileRewindResult()
    # First what is to go, deepest first: it may be in the way of what is to come back.
    for story in sorted(told, key=lambda s: (s.before is not None, -s.path.count("/"), s.path)):
        if story.why is not None:
            result.kept.append(KeptFile(story.path, story.why))
        elif story.is_back:
            # By a rewind that was cut off before it could say so, or by a person's own hand.
            done(SnapshotChange(story.path, story.left, story.before))
        elif (kept := _put_back(root, story, contents)) is not None:
            result.kept.append(kept)
        else:
            done(story.way_back)
            (result.removed if story.before is None else result.restored).append(story.path)
    result.kept.sort(key=lambda kept: kept.path)
    return result


def _put_back(root: SafeRoot, story: FileHistory, contents: ReadContent) -> KeptFile | None:
    wanted: StoredContent | None = None
    if story.before is not None:
        data = _content(story.before, contents)
        if data is None:
            return KeptFile(story.path, "not_kept")
        wanted = StoredContent(data, story.before.mode)
    try:
        root.put_back(
            story.path, wanted, lambda found: is_same_state(_state_of(found, story), story.now)
        )
    except DataAgentError as error:
        return KeptFile(story.path, "refused", str(error))
    return None


def _content(state: FileState, contents: ReadContent) -> bytes | None:
    data = None if state.sha256 is None else contents(state.sha256)
    # The store waits for no disk: what a crash of the machine left in it must prove itself.
    intact = data is not None and hashlib.sha256(data).hexdigest() == state.sha256
    return data if intact else None


def _state_of(found: CurrentContent | None, story: FileHistory) -> FileState | None:
    if found is None:
        return None
    # One whose content was not kept is known by its size and time of change.
    known = story.now is not None and story.now.sha256 is not None
    sha256 = hashlib.sha256(found.data).hexdigest() if known and found.data is not None else None
    return FileState(sha256, found.size_bytes, found.mode, found.changed_ns)
