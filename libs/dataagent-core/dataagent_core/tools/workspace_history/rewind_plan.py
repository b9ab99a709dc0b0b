"""Plans what a rewind does with each file. Pure.

A file is restored to its state before the agent's first change, if every change since was the
agent's own: each starts with the state the previous one left, and the last is the current state.
"""

import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from dataagent_core.tools.command_changes.snapshot_diff import SnapshotChange
from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot
from dataagent_core.tools.workspace_history.history_store import PastChange

# changed     somebody else changed it since, or may have
# not_kept    what it held is not kept: too large, too many files, or dropped meanwhile
# untracked   a folder that is not looked into, such as node_modules
# not_seen    it cannot be looked at now
# refused     it could not be written: `detail` says why
KeptReason = Literal["changed", "not_kept", "untracked", "not_seen", "refused"]


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that stays as it is, and why."""

    path: str
    why: KeptReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class FileHistory:
    """The agent's changes of one file: its state before, and the state the agent left."""

    path: str
    before: FileState | None
    left: FileState | None
    now: FileState | None
    # Why it cannot be restored; None if it can, or need not.
    why: KeptReason | None = None

    @property
    def is_back(self) -> bool:
        """Whether the file has its earlier state."""
        return is_same_state(self.now, self.before)

    @property
    def as_left(self) -> SnapshotChange:
        """The agent's whole change."""
        return SnapshotChange(self.path, self.before, self.left)

    @property
    def way_back(self) -> SnapshotChange:
        """The change that a rewind makes."""
        return SnapshotChange(self.path, self.now, self.before)


def group_changes_by_file(past: Iterable[PastChange]) -> dict[str, list[PastChange]]:
    """Group changes by file, without those that a rewind has taken back."""
    by_path: dict[str, list[PastChange]] = {}
    for one in past:
        known = by_path.setdefault(one.change.path, [])
        if one.run_id is None and (upto := _find_taken_back(known, one.change)) is not None:
            del known[upto:]
        else:
            known.append(one)
    return by_path


def build_file_histories(
    by_path: Mapping[str, Sequence[PastChange]], run_ids: Collection[str], now: WorkspaceSnapshot
) -> list[FileHistory]:
    """Build the history of each file these runs, the last of their session, changed; by path."""
    histories: list[FileHistory] = []
    for path in sorted(by_path):
        past = by_path[path]
        first = next((n for n, one in enumerate(past) if one.run_id in run_ids), len(past))
        if first < len(past):
            histories.append(_build_history(path, past[first:], now))
    # A file the agent created and removed again has no history.
    return [
        history
        for history in histories
        if not (history.is_back and is_same_state(history.before, history.left))
    ]


def is_same_state(one: FileState | None, other: FileState | None) -> bool:
    """Return whether two states are the same, as far as a rewind can restore them."""
    if one is None or other is None:
        return one is other
    if stat.S_IFMT(one.mode) != stat.S_IFMT(other.mode):
        return False
    # The mode of a link means nothing, and special bits are not restored.
    if not stat.S_ISLNK(one.mode) and (one.mode ^ other.mode) & 0o777:
        return False
    if one.sha256 is None or other.sha256 is None:
        return one.size_bytes == other.size_bytes and one.changed_ns == other.changed_ns
    return one.sha256 == other.sha256


def _find_taken_back(known: Sequence[PastChange], rewind: SnapshotChange) -> int | None:
    for position in range(len(known) - 1, -1, -1):
        if is_same_state(known[position].change.before, rewind.after):
            return position
    return None


def _build_history(path: str, past: Sequence[PastChange], now: WorkspaceSnapshot) -> FileHistory:
    before, left = past[0].change.before, past[-1].change.after
    present, is_seen = _find_state(path, now)
    history = FileHistory(path, before, left, present)
    if history.is_back:
        return history
    return FileHistory(
        path, before, left, present, _find_kept_reason(past, history, is_seen=is_seen)
    )


def _find_kept_reason(
    past: Sequence[PastChange], history: FileHistory, *, is_seen: bool
) -> KeptReason | None:
    if history.path.endswith("/"):
        return "untracked"
    if not is_seen:
        return "not_seen"
    unbroken = all(
        is_same_state(one.change.after, other.change.before) for one, other in pairwise(past)
    )
    if (
        not unbroken
        or not all(one.is_sure for one in past)
        or not is_same_state(history.left, history.now)
    ):
        return "changed"
    return "not_kept" if history.before is not None and history.before.sha256 is None else None


def _find_state(path: str, now: WorkspaceSnapshot) -> tuple[FileState | None, bool]:
    if path.endswith("/"):
        folder = FileState(None, 0, 0o040000, 0) if path[:-1] in now.passed_over else None
        return folder, True
    state = now.files.get(path)
    if state is not None:
        return state, True
    hidden = now.passed_over | now.unreadable
    return None, now.complete and not _is_beneath(path, hidden.__contains__)


def _is_beneath(path: str, is_hidden: Callable[[str], bool]) -> bool:
    while path:
        path = path.rpartition("/")[0]
        if is_hidden(path):
            return True
    return False
