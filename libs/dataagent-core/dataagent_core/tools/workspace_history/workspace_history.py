"""Rewind, undo and changes of one workspace: what the terminal, the server and scripts use.

Files are restored; the conversation stays. The log gets one `file_operation` for each restored
file, outside of any run, and the next run tells the model (`engine/user_message.py`). A rewind is
refused while a run of the session is not over, and may be repeated.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dataagent_core.config.limits.history import REWIND_KEPT_LISTED_MAX
from dataagent_core.config.paths import SHADOWS_NAME
from dataagent_core.errors import NotFoundError
from dataagent_core.events import Event
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.session import EventLog, RunSummary, runs_of
from dataagent_core.session.log import NO_RUN
from dataagent_core.tools.command_changes.change_records import make_change_records
from dataagent_core.tools.command_changes.snapshot_diff import SnapshotChange
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow
from dataagent_core.tools.command_changes.workspace_snapshot import WorkspaceSnapshot
from dataagent_core.tools.workspace_history.call_recorder import CallRecorder
from dataagent_core.tools.workspace_history.file_rewind import FileRewindResult, rewind_files
from dataagent_core.tools.workspace_history.history_retention import find_recorded_since
from dataagent_core.tools.workspace_history.history_store import HistoryStore, PastChange
from dataagent_core.tools.workspace_history.rewind_plan import (
    FileHistory,
    KeptFile,
    KeptReason,
    build_file_histories,
    group_changes_by_file,
)
from dataagent_core.tools.workspace_history.rewind_report import (
    TOOL,
    describe_untracked,
    make_rewind_events,
)
from dataagent_core.tools.workspace_history.rewind_runs import (
    has_unrecorded_changes,
    list_runs_since,
    refuse_while_running,
)
from dataagent_core.tools.workspace_history.workspace_lock import lock_workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class RewindResult:
    """The result of a rewind. `kept` are files that stay as they are, each with a reason."""

    message_id: str
    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[KeptFile, ...] = ()
    # Parts of the workspace that are not tracked.
    notices: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """The agent's whole change of one file; `why` says why it could not be restored now."""

    path: str
    operation: str
    metrics: dict[str, int]
    diff: str | None
    why: KeptReason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeReport:
    """The agent's changes, and notices on what is left out."""

    files: tuple[FileChange, ...] = ()
    notices: tuple[str, ...] = ()


class WorkspaceHistory:
    """The earlier states of one workspace; `shadows` is where `CallWatch` keeps them."""

    def __init__(self, root: SafeRoot, shadows: Path, log: EventLog) -> None:
        self._root = root
        self._log = log
        self._shadow = WorkspaceShadow(root, shadows)
        self._record = CallRecorder(self._shadow)

    @classmethod
    def of_person(cls, home: Path, workspace: Path, log: EventLog) -> Self:
        """Open the history of a directory that one person's agent works in."""
        root = SafeRoot(workspace.resolve(), links="beneath", closed=[home])
        return cls(root, home / SHADOWS_NAME, log)

    async def rewind(self, session_id: str, message_id: str) -> RewindResult:
        """Restore the workspace before a message, as far as only the agent changed it."""
        runs = await runs_of(self._log, session_id)
        refuse_while_running(runs, session_id)
        since = list_runs_since(runs, session_id, message_id)
        await self._check_snapshots(session_id, since)
        return await self._rewind_runs(session_id, runs, since)

    async def undo(self, session_id: str) -> RewindResult:
        """Take back the agent's changes of the last message that are still in place."""
        runs = await runs_of(self._log, session_id)
        refuse_while_running(runs, session_id)
        if not runs:
            raise NotFoundError(f"session {session_id!r} has no message to undo.")
        position = await asyncio.to_thread(self._find_last_in_place, session_id, runs)
        since = runs[position:]
        await self._check_snapshots(session_id, since)
        return await self._rewind_runs(session_id, runs, since)

    async def changes(self, session_id: str, since_message_id: str | None = None) -> ChangeReport:
        """List what the agent changed since a message, or in the whole session."""
        runs = await runs_of(self._log, session_id)
        since = list_runs_since(runs, session_id, since_message_id)
        files, notices = await asyncio.to_thread(self._list_changes, session_id, runs, since)
        ids = [run.run_id for run in since]
        if await has_unrecorded_changes(self._log, session_id, ids, await self._load_kept_since()):
            notices.append("Earlier changes are no longer known: their snapshots are gone.")
        return ChangeReport(files=tuple(files), notices=tuple(notices))

    async def _rewind_runs(
        self, session_id: str, runs: Sequence[RunSummary], since: Sequence[RunSummary]
    ) -> RewindResult:
        done, notices = await asyncio.to_thread(self._restore_files, session_id, runs, since)
        return RewindResult(
            message_id=since[0].message_id,
            restored=tuple(done.restored),
            removed=tuple(done.removed),
            kept=tuple(done.kept[:REWIND_KEPT_LISTED_MAX]),
            notices=tuple(notices),
            events=tuple(await self._append_events(session_id)),
        )

    async def _check_snapshots(self, session_id: str, since: Sequence[RunSummary]) -> None:
        ids = [run.run_id for run in since]
        if await has_unrecorded_changes(self._log, session_id, ids, await self._load_kept_since()):
            raise NotFoundError(
                f"the snapshots from before message {since[0].message_id!r} are gone: only the "
                "newest are kept, within limits of age and size. Rewind to a later message."
            )

    async def _load_kept_since(self) -> float | None:
        def read() -> float | None:
            with self._shadow.store() as store:
                return find_recorded_since(store.connection)

        return await asyncio.to_thread(read)

    def _restore_files(
        self, session_id: str, runs: Sequence[RunSummary], since: Sequence[RunSummary]
    ) -> tuple[FileRewindResult, list[str]]:
        with lock_workspace(self._shadow.folder()):
            now = self._shadow.look()
            self._record.settle(session_id, now)
            histories = self._build_histories(session_id, runs, since, now)

            def done(change: SnapshotChange) -> None:
                with self._shadow.store() as store:
                    rows = HistoryStore(store.connection)
                    with rows.transaction():
                        rows.add(session_id, None, [change])

            with self._shadow.contents() as contents:
                result = rewind_files(self._root, histories, contents, done)
            after = self._shadow.look()
            self._record.take(after)
        return result, describe_untracked(after)

    async def _append_events(self, session_id: str) -> list[Event]:
        """Append the restored files to the log, also those of an interrupted rewind."""
        past, events = await asyncio.to_thread(self._read_unlogged, session_id)
        stored = await self._log.append(session_id, NO_RUN, events) if events else []
        await asyncio.to_thread(self._mark_logged, [one.change_id for one in past])
        return stored

    def _read_unlogged(self, session_id: str) -> tuple[list[PastChange], list[Event]]:
        with self._shadow.store() as store:
            past = HistoryStore(store.connection).list_unlogged(session_id)
        with self._shadow.contents() as contents:
            return past, list(make_rewind_events(past, contents))

    def _mark_logged(self, change_ids: list[int]) -> None:
        with self._shadow.store() as store:
            rows = HistoryStore(store.connection)
            with rows.transaction():
                rows.mark_logged(change_ids)

    def _find_last_in_place(self, session_id: str, runs: Sequence[RunSummary]) -> int:
        """Find the newest run with changes still in place; the last run if there is none."""
        now = self._shadow.look()
        by_path = self._group_changes(session_id, [run.run_id for run in runs])
        ids: set[str] = set()
        for position in range(len(runs) - 1, -1, -1):
            ids.add(runs[position].run_id)
            if any(not history.is_back for history in build_file_histories(by_path, ids, now)):
                return position
        return len(runs) - 1

    def _list_changes(
        self, session_id: str, runs: Sequence[RunSummary], since: Sequence[RunSummary]
    ) -> tuple[list[FileChange], list[str]]:
        now = self._shadow.look()
        histories = [
            s for s in self._build_histories(session_id, runs, since, now) if not s.is_back
        ]
        with self._shadow.contents() as contents:
            records, notices = make_change_records(
                TOOL, [history.as_left for history in histories], contents
            )
        why: dict[str, KeptReason | None] = {history.path: history.why for history in histories}
        return [
            FileChange(
                path=record.display_path,
                operation=record.operation,
                metrics=record.metrics,
                diff=record.diff,
                why=why.get(record.display_path),
            )
            for record in records
        ], notices

    def _build_histories(
        self,
        session_id: str,
        runs: Sequence[RunSummary],
        since: Sequence[RunSummary],
        now: WorkspaceSnapshot,
    ) -> list[FileHistory]:
        by_path = self._group_changes(session_id, [run.run_id for run in runs])
        return build_file_histories(by_path, {run.run_id for run in since}, now)

    def _group_changes(
        self, session_id: str, run_ids: Sequence[str]
    ) -> dict[str, list[PastChange]]:
        with self._shadow.store() as store:
            return group_changes_by_file(
                HistoryStore(store.connection).of_runs(session_id, run_ids)
            )
