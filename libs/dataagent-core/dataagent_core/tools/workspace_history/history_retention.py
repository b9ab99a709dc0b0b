"""Drops the oldest calls with their changes: too old, too many, or too large."""

import sqlite3
import time
from collections.abc import Iterator

from dataagent_core.config.limits.history import HISTORY_BYTES_MAX, HISTORY_CALLS_MAX, HISTORY_S_MAX

# Contents that only the history needs, with the newest change that needs each.
_HELD = """
SELECT contents.size_bytes, newest FROM contents JOIN (
    SELECT before_sha256 AS sha256, max(change_id) AS newest FROM history_changes
    WHERE before_sha256 IS NOT NULL GROUP BY before_sha256
) USING (sha256)
WHERE sha256 NOT IN (SELECT sha256 FROM files) ORDER BY newest DESC
"""


def prune_history(db: sqlite3.Connection) -> None:
    """Apply the limits; call it inside a transaction."""
    last_call = max(_calls_to_drop(db), default=None)
    if last_call is None:
        return
    db.execute("DELETE FROM history_changes WHERE call_id <= ?", (last_call,))
    # The changes of a rewind go with those of the calls before it.
    db.execute(
        "DELETE FROM history_changes WHERE call_id IS NULL AND change_id < coalesce("
        "(SELECT min(change_id) FROM history_changes WHERE call_id IS NOT NULL), change_id + 1)"
    )
    db.execute("DELETE FROM history_calls WHERE call_id <= ?", (last_call,))
    oldest = db.execute("SELECT min(begun_s) FROM history_calls").fetchone()[0]
    now_s = time.time()
    db.execute("UPDATE history_look SET kept_since_s = ?", (now_s if oldest is None else oldest,))


def _calls_to_drop(db: sqlite3.Connection) -> Iterator[int]:
    """Yield calls that must be dropped; earlier ones are dropped too."""
    too_old = "SELECT max(call_id) FROM history_calls WHERE NOT is_open AND begun_s < ?"
    yield from _read_number(db, too_old, time.time() - HISTORY_S_MAX)
    too_many = "SELECT call_id FROM history_calls ORDER BY call_id DESC LIMIT 1 OFFSET ?"
    yield from _read_number(db, too_many, HISTORY_CALLS_MAX)
    held_bytes = 0
    for size_bytes, newest in db.execute(_HELD):
        held_bytes += size_bytes
        if held_bytes > HISTORY_BYTES_MAX:
            needing = "SELECT max(call_id) FROM history_changes WHERE change_id <= ?"
            yield from _read_number(db, needing, newest)
            return


def _read_number(db: sqlite3.Connection, query: str, value: float) -> Iterator[int]:
    row = db.execute(query, (value,)).fetchone()
    if row is not None and row[0] is not None:
        yield row[0]


def find_recorded_since(db: sqlite3.Connection) -> float | None:
    """Return since when every watched call is recorded; `None` if there never was one."""
    row = db.execute("SELECT kept_since_s FROM history_look").fetchone()
    return None if row is None else row[0]
