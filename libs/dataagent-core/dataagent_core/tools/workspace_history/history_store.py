"""Watched calls and their changes, as rows of a workspace's store. Blocks."""

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dataagent_core.config.limits.history import HISTORY_OTHERS_S
from dataagent_core.ids import new_id
from dataagent_core.tools.command_changes.snapshot_diff import SnapshotChange
from dataagent_core.tools.command_changes.workspace_snapshot import FileState

_CHANGES = """
SELECT change_id, run_id, path, is_sure, untold,
    before_sha256, before_bytes, before_mode, before_ns,
    after_sha256, after_bytes, after_mode, after_ns
FROM history_changes LEFT JOIN history_calls USING (call_id)
"""
_INSERT = """
INSERT INTO history_changes
    (call_id, session_id, path, is_sure, untold, before_sha256, before_bytes, before_mode,
     before_ns, after_sha256, after_bytes, after_mode, after_ns)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, slots=True)
class CallInfo:
    """The call a snapshot is taken for."""

    session_id: str
    run_id: str
    call_key: str
    tool_name: str


@dataclass(frozen=True, slots=True)
class PastChange:
    """One change of a file that a call or a rewind made.

    Unless `is_sure`, somebody else may have made it: a process ended, or others worked meanwhile.
    """

    change_id: int
    # None for the change of a rewind.
    run_id: str | None
    change: SnapshotChange
    is_sure: bool
    # The id of the event that is still to be logged.
    untold: str | None = None


class HistoryStore:
    """The history of one workspace, open."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.db = connection

    @contextlib.contextmanager
    def transaction(self) -> Generator[None]:
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            yield

    def open_call(self, call: CallInfo) -> int:
        """Record that a call starts; returns its number."""
        added = self.db.execute(
            "INSERT INTO history_calls (session_id, run_id, call_key, tool_name, begun_s, is_open) "
            "VALUES (?, ?, ?, ?, ?, 1)",
            (call.session_id, call.run_id, call.call_key, call.tool_name, time.time()),
        )
        assert added.lastrowid is not None
        return added.lastrowid

    def close_calls(self, call_ids: Iterable[int]) -> None:
        self.db.executemany(
            "UPDATE history_calls SET is_open = 0 WHERE call_id = ?", [(one,) for one in call_ids]
        )

    def open_calls(self, session_id: str) -> tuple[list[int], list[int]]:
        """List the calls that began and did not end, newest first: the session's, and others'."""
        rows = self.db.execute(
            "SELECT call_id, session_id, begun_s FROM history_calls WHERE is_open "
            "ORDER BY call_id DESC"
        ).fetchall()
        oldest_s = time.time() - HISTORY_OTHERS_S
        own = [row[0] for row in rows if row[1] == session_id]
        others = [row[0] for row in rows if row[1] != session_id and row[2] >= oldest_s]
        return own, others

    def add(
        self,
        session_id: str,
        call_id: int | None,
        changes: Iterable[SnapshotChange],
        *,
        is_sure: bool = True,
    ) -> None:
        """Record changes; those of a rewind belong to no call, and are still to be logged."""
        self.db.executemany(
            _INSERT,
            [
                (
                    call_id,
                    session_id,
                    os.fsencode(change.path),
                    is_sure,
                    new_id() if call_id is None else None,
                    *make_state_columns(change.before),
                    *make_state_columns(change.after),
                )
                for change in changes
            ],
        )

    def of_runs(self, session_id: str, run_ids: Sequence[str]) -> list[PastChange]:
        """List the changes of a session's runs and rewinds, in the order they were seen."""
        rows = self.db.execute(
            _CHANGES + "WHERE run_id IN (SELECT value FROM json_each(?)) "
            "OR (call_id IS NULL AND history_changes.session_id = ?) ORDER BY change_id",
            (json.dumps(list(run_ids)), session_id),
        )
        return [_read_change(row) for row in rows]

    def list_unlogged(self, session_id: str) -> list[PastChange]:
        """List the changes of a session's rewinds that are not in the log yet."""
        rows = self.db.execute(
            _CHANGES
            + "WHERE history_changes.session_id = ? AND untold IS NOT NULL ORDER BY change_id",
            (session_id,),
        )
        return [_read_change(row) for row in rows]

    def mark_logged(self, change_ids: Iterable[int]) -> None:
        self.db.executemany(
            "UPDATE history_changes SET untold = NULL WHERE change_id = ?",
            [(one,) for one in change_ids],
        )

    def forget(self, session_id: str) -> None:
        for table in ("history_changes", "history_calls"):
            self.db.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))


def make_state_columns(state: FileState | None) -> tuple[Any, ...]:
    """Return a state as four columns; all null if there is no file."""
    if state is None:
        return None, None, None, None
    return state.sha256, state.size_bytes, state.mode, state.changed_ns


def _read_state(four: Sequence[Any]) -> FileState | None:
    return None if four[2] is None else FileState(four[0], four[1], four[2], four[3])


def _read_change(row: Sequence[Any]) -> PastChange:
    change = SnapshotChange(os.fsdecode(row[2]), _read_state(row[5:9]), _read_state(row[9:13]))
    return PastChange(row[0], row[1], change, bool(row[3]), row[4])
