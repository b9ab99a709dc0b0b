"""Records what changed since the last snapshot of a workspace, and who changed it.

    a call of this session runs in this process    the agent's
    one began here and its process is gone         perhaps the agent's
    a call of another session runs                 perhaps that agent's
    no call runs                                   not the agent's: not recorded

A change that is only perhaps the agent's is never taken back, but a rewind lists it.
"""

import contextlib
from collections.abc import Generator

from dataagent_core.config.limits.history import HISTORY_PRUNED_EVERY_CALLS
from dataagent_core.tools.command_changes.snapshot_diff import SnapshotChange, compare_snapshots
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow
from dataagent_core.tools.command_changes.workspace_snapshot import WorkspaceSnapshot
from dataagent_core.tools.workspace_history.history_retention import prune_history
from dataagent_core.tools.workspace_history.history_store import CallInfo, HistoryStore
from dataagent_core.tools.workspace_history.last_snapshot import LastSnapshot


class CallRecorder:
    """The calls this process runs in one workspace. Every method blocks; hold the lock."""

    def __init__(self, shadow: WorkspaceShadow) -> None:
        self._shadow = shadow
        self._last = LastSnapshot()
        self._running: dict[int, str] = {}
        self._unpruned_calls = HISTORY_PRUNED_EVERY_CALLS

    def begin(self, call: CallInfo, now: WorkspaceSnapshot) -> int:
        """Take a snapshot before a call; returns the call's number."""
        with self._rows() as rows:
            self._record_changes(rows, call.session_id, now)
            call_id = rows.open_call(call)
            self._unpruned_calls += 1
            if self._unpruned_calls > HISTORY_PRUNED_EVERY_CALLS:
                prune_history(rows.db)
                self._unpruned_calls = 0
        self._running[call_id] = call.session_id
        return call_id

    def end(self, call_id: int, now: WorkspaceSnapshot) -> None:
        """Record what changed while a call ran."""
        session_id = self._running[call_id]
        try:
            with self._rows() as rows:
                self._record_changes(rows, session_id, now)
                rows.close_calls([call_id])
        finally:
            del self._running[call_id]

    def forget(self, call_id: int) -> None:
        """Drop a call without a snapshot after it: its changes are unknown."""
        self._running.pop(call_id, None)

    def settle(self, session_id: str, now: WorkspaceSnapshot) -> None:
        """Before a rewind: record what a process that ended may have changed."""
        with self._rows() as rows:
            self._record_changes(rows, session_id, now)

    def take(self, now: WorkspaceSnapshot) -> None:
        """After a rewind: store the snapshot; its changes are recorded already."""
        with self._rows() as rows:
            self._last.recall(rows.db)
            self._last.take(rows.db, now)

    @contextlib.contextmanager
    def _rows(self) -> Generator[HistoryStore]:
        try:
            with self._shadow.store() as store:
                rows = HistoryStore(store.connection)
                with rows.transaction():
                    yield rows
        except BaseException:
            # The remembered snapshot may not have been written.
            self._last.forget()
            raise

    def _record_changes(self, rows: HistoryStore, session_id: str, now: WorkspaceSnapshot) -> None:
        before = self._last.recall(rows.db)
        changes = [] if before is None else compare_snapshots(before, now)
        own_calls = [
            number for number, owner_session in self._running.items() if owner_session == session_id
        ]
        if own_calls:
            rows.add(session_id, own_calls[-1], changes)
        else:
            self._record_unsure(rows, session_id, changes)
        if before is None or changes or not _is_same_view(before, now):
            self._last.take(rows.db, now)

    def _record_unsure(
        self, rows: HistoryStore, session_id: str, changes: list[SnapshotChange]
    ) -> None:
        interrupted, others = rows.open_calls(session_id)
        # One process at a time runs a session: an open call of no process here was interrupted.
        for number in (interrupted or others)[:1]:
            rows.add(find_session(rows, number), number, changes, is_sure=False)
        rows.close_calls(interrupted)


def find_session(rows: HistoryStore, call_id: int) -> str:
    """Return the session of a call."""
    query = "SELECT session_id FROM history_calls WHERE call_id = ?"
    return rows.db.execute(query, (call_id,)).fetchone()[0]


def _is_same_view(before: WorkspaceSnapshot, now: WorkspaceSnapshot) -> bool:
    """Return whether two snapshots without changes cover the same files."""
    return (
        before.files.keys() == now.files.keys()
        and before.passed_over == now.passed_over
        and before.unreadable == now.unreadable
        and before.complete == now.complete
    )
