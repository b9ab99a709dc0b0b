"""Restores files one by one: each atomically, each recorded once it is done.

A crash in between leaves some files restored; repeating the rewind finishes it.
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
    """The files that were restored, removed and kept."""

    restored: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    kept: list[KeptFile] = field(default_factory=list[KeptFile])


def rewind_files(
    root: SafeRoot, histories: list[FileHistory], contents: ReadContent, done: Done
) -> FileRewindResult:
    """Restore every file that may be restored. Blocks."""
    result = FileRewindResult()
    # Removals first, deepest first: they may be in the way of restored files.
    for history in sorted(
        histories, key=lambda s: (s.before is not None, -s.path.count("/"), s.path)
    ):
        if history.why is not None:
            result.kept.append(KeptFile(history.path, history.why))
        elif history.is_back:
            # Restored by an interrupted rewind before it was recorded, or by a person.
            done(SnapshotChange(history.path, history.left, history.before))
        elif (kept := _restore_file(root, history, contents)) is not None:
            result.kept.append(kept)
        else:
            done(history.way_back)
            (result.removed if history.before is None else result.restored).append(history.path)
    result.kept.sort(key=lambda kept: kept.path)
    return result


def _restore_file(root: SafeRoot, history: FileHistory, contents: ReadContent) -> KeptFile | None:
    wanted: StoredContent | None = None
    if history.before is not None:
        data = _read_intact_content(history.before, contents)
        if data is None:
            return KeptFile(history.path, "not_kept")
        wanted = StoredContent(data, history.before.mode)
    try:
        root.put_back(
            history.path,
            wanted,
            lambda found: is_same_state(_current_state(found, history), history.now),
        )
    except DataAgentError as error:
        return KeptFile(history.path, "refused", str(error))
    return None


def _read_intact_content(state: FileState, contents: ReadContent) -> bytes | None:
    data = None if state.sha256 is None else contents(state.sha256)
    # The store is not synced: after a crash of the machine its contents must be verified.
    intact = data is not None and hashlib.sha256(data).hexdigest() == state.sha256
    return data if intact else None


def _current_state(found: CurrentContent | None, history: FileHistory) -> FileState | None:
    if found is None:
        return None
    # A file without stored content is compared by its size and time of change.
    known = history.now is not None and history.now.sha256 is not None
    sha256 = hashlib.sha256(found.data).hexdigest() if known and found.data is not None else None
    return FileState(sha256, found.size_bytes, found.mode, found.changed_ns)
