"""Watches the workspace while a command runs: a snapshot before, one after, and a report.

Several commands may run at once. A change is reported once in a session, by the command that ends
first after it; a change by a file tool is reported by that tool. A cancelled command reports
nothing, and the next snapshot starts from the current state.

The report never fails a command: a failure here becomes a notice of the report.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from weakref import WeakSet

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.command_changes.change_records import (
    describe_failure,
    describe_unseen,
    make_change_records,
)
from dataagent_core.tools.command_changes.snapshot_diff import compare_snapshots
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow
from dataagent_core.tools.command_changes.workspace_snapshot import WorkspaceSnapshot
from dataagent_core.tools.file_tracker import FileOpRecord

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CommandReport:
    """The changes of a command, and notices on what could not be seen."""

    records: tuple[FileOpRecord, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(slots=True, weakref_slot=True, eq=False)
class RunningCommand:
    """A running command: the workspace at its start, with changes others have reported."""

    tool_name: str
    session_id: str
    before: WorkspaceSnapshot | None
    notices: tuple[str, ...] = ()


class CommandWatch:
    """The commands of one workspace; `shadows` is a folder of ours, outside of it."""

    def __init__(self, root: SafeRoot, shadows: Path) -> None:
        self._shadow = self.shadow = WorkspaceShadow(root, shadows)
        # Weak: a cancelled command is dropped with its last reference.
        self._running: WeakSet[RunningCommand] = WeakSet()
        self._lock = RLock()

    def begin(
        self, tool_name: str, session_id: str, now: WorkspaceSnapshot | None = None
    ) -> RunningCommand:
        """Take the snapshot before a command, unless it is given. Blocks."""
        with self._lock:
            try:
                command = RunningCommand(tool_name, session_id, now or self._shadow.look())
            except Exception as error:  # noqa: BLE001 (the command must run all the same)
                command = RunningCommand(tool_name, session_id, None, (describe_failure(error),))
            self._running.add(command)
            return command

    def end(self, command: RunningCommand, now: WorkspaceSnapshot | None = None) -> CommandReport:
        """Take the snapshot after a command, unless it is given, and compare. Blocks."""
        with self._lock:
            self._running.discard(command)
            if command.before is None:
                return CommandReport(notices=command.notices)
            try:
                return self._report(command, command.before, now or self._shadow.look())
            except Exception as error:  # noqa: BLE001 (the command has run: its result stands)
                return CommandReport(notices=(describe_failure(error),))

    def settle(self, session_id: str, path: str, now: WorkspaceSnapshot | None = None) -> None:
        """Count a file's change as reported. Blocks."""
        # Checked under the lock: a command may be taking its first snapshot.
        with self._lock:
            if not self._running:
                return
            try:
                shown = format_path(split_path(path))
                self._settle(session_id, now or self._shadow.look(), [shown])
            except Exception:
                # Then the command reports it too, which is better than no report.
                logger.exception("cannot tell the change of %r from a command's", path)

    def _report(
        self, command: RunningCommand, before: WorkspaceSnapshot, after: WorkspaceSnapshot
    ) -> CommandReport:
        changes = compare_snapshots(before, after)
        if not changes:
            return CommandReport(notices=tuple(describe_unseen(after)))
        self._settle(command.session_id, after, (change.path for change in changes))
        with self._shadow.contents() as contents:
            records, notices = make_change_records(command.tool_name, changes, contents)
        return CommandReport(tuple(records), (*notices, *describe_unseen(after)))

    def _settle(self, session_id: str, now: WorkspaceSnapshot, paths: Iterable[str]) -> None:
        settled = set(paths)
        for other in self._running:
            if other.session_id == session_id and other.before is not None:
                other.before = _update_snapshot(other.before, now, settled)


def _update_snapshot(
    before: WorkspaceSnapshot, now: WorkspaceSnapshot, paths: set[str]
) -> WorkspaceSnapshot:
    files = {path: state for path, state in before.files.items() if path not in paths}
    files |= {path: state for path, state in now.files.items() if path in paths}
    folders = {path.rstrip("/") for path in paths if path.endswith("/")}
    passed_over = (before.passed_over - folders) | (now.passed_over & folders)
    return replace(before, files=files, passed_over=passed_over)
