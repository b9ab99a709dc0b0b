"""The last snapshot of a workspace in its store, so that the next process knows what changed.

Only differences to the previous snapshot are written. The number tells whether another process has
written one since: then it is read again.
"""

import json
import os
import sqlite3
import time
from dataclasses import dataclass

from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot
from dataagent_core.tools.workspace_history.history_store import make_state_columns


@dataclass(slots=True)
class LastSnapshot:
    """The last snapshot as this process remembers it."""

    snapshot: WorkspaceSnapshot | None = None
    number: int = 0

    def recall(self, db: sqlite3.Connection) -> WorkspaceSnapshot | None:
        """Return the last snapshot, read again if another process has written one since."""
        row = db.execute(
            "SELECT number, taken_ns, is_complete, passed_over, unreadable FROM history_look"
        ).fetchone()
        if row is None:
            self.snapshot, self.number = None, 0
        elif row[0] != self.number or self.snapshot is None:
            files = db.execute(
                "SELECT path, sha256, size_bytes, mode, changed_ns FROM history_seen"
            )
            self.snapshot = WorkspaceSnapshot(
                files={os.fsdecode(path): FileState(*state) for path, *state in files},
                taken_ns=row[1],
                complete=bool(row[2]),
                passed_over=frozenset(json.loads(row[3])),
                unreadable=frozenset(json.loads(row[4])),
            )
            self.number = row[0]
        return self.snapshot

    def take(self, db: sqlite3.Connection, now: WorkspaceSnapshot) -> None:
        before = {} if self.snapshot is None else self.snapshot.files
        files = now.files
        db.executemany(
            "DELETE FROM history_seen WHERE path = ?",
            [(os.fsencode(path),) for path in before.keys() - files.keys()],
        )
        db.executemany(
            "INSERT OR REPLACE INTO history_seen VALUES (?, ?, ?, ?, ?)",
            [
                (os.fsencode(path), *make_state_columns(state))
                for path, state in files.items()
                if before.get(path) != state
            ],
        )
        self.number += 1
        places = (json.dumps(sorted(now.passed_over)), json.dumps(sorted(now.unreadable)))
        db.execute(
            "INSERT INTO history_look VALUES (1, ?, ?, ?, ?, ?, ?) ON CONFLICT (only) DO UPDATE "
            "SET number = excluded.number, taken_ns = excluded.taken_ns, is_complete = "
            "excluded.is_complete, passed_over = excluded.passed_over, unreadable = "
            "excluded.unreadable",
            (self.number, now.taken_ns, now.complete, *places, time.time()),
        )
        self.snapshot = now

    def forget(self) -> None:
        """Read it from the store next time: the write may have been rolled back."""
        self.snapshot, self.number = None, 0
