"""Contents by their hash, and an index of which file had which content at which stamp.

An index row proves itself: whoever finds a file with the same stamp knows its content, whichever
process wrote the row. Contents that `workspace_history` needs to go back stay as long as it does.
Those nothing refers to stay for as long as a command may run, since somebody may still compare with
them, and are dropped oldest first when they take too much space.

`content_database.py` opens it.
"""

import os
import sqlite3
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from dataagent_core.config.limits import SHADOW_SPARE_BYTES_MAX, SHADOW_SPARE_S
from dataagent_core.sandbox.files.file_survey import FileStamp

_SPARE = """
SELECT sha256, size_bytes, used_s FROM contents INDEXED BY contents_by_age
WHERE sha256 NOT IN (SELECT sha256 FROM files)
AND NOT EXISTS (SELECT 1 FROM history_changes WHERE before_sha256 = contents.sha256)
AND NOT EXISTS (SELECT 1 FROM history_seen WHERE history_seen.sha256 = contents.sha256)
ORDER BY used_s DESC
"""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A file whose content is kept."""

    stamp: FileStamp
    sha256: str


class ContentStore:
    """One workspace's contents, open. It blocks."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @property
    def connection(self) -> sqlite3.Connection:
        """Give what other tables of the same file are reached by."""
        return self._db

    def index(self) -> dict[str, IndexEntry]:
        """Read which files are known."""
        rows = self._db.execute(
            "SELECT path, sha256, device, inode, size_bytes, modified_ns, changed_ns, mode "
            "FROM files"
        )
        return {os.fsdecode(row[0]): IndexEntry(FileStamp(*row[2:]), row[1]) for row in rows}

    def keep(self, contents: dict[str, bytes], settled: dict[str, IndexEntry]) -> None:
        """Take contents by their hash, and the files known to hold them, in one transaction."""
        now_s = time.time()
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT INTO contents VALUES (?, ?, ?, ?) "
                "ON CONFLICT (sha256) DO UPDATE SET used_s = excluded.used_s",
                [(sha256, len(data), now_s, data) for sha256, data in contents.items()],
            )
            self._leave(settled, now_s)
            self._db.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(os.fsencode(path), i.sha256, *i.stamp) for path, i in settled.items()],
            )

    def forget(self, paths: Collection[str]) -> None:
        """Drop files from the index."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._leave(paths, time.time())
            self._db.executemany(
                "DELETE FROM files WHERE path = ?", [(os.fsencode(path),) for path in paths]
            )

    def _leave(self, paths: Iterable[str], now_s: float) -> None:
        # From now on it may be that nothing refers to these contents.
        self._db.executemany(
            "UPDATE contents SET used_s = ? WHERE sha256 = "
            "(SELECT sha256 FROM files WHERE path = ?)",
            [(now_s, os.fsencode(path)) for path in paths],
        )

    def content(self, sha256: str) -> bytes | None:
        """Give a content, if it is still kept."""
        row = self._db.execute("SELECT data FROM contents WHERE sha256 = ?", (sha256,)).fetchone()
        return row[0] if row else None

    def sweep(self) -> None:
        """Drop contents no file has any more: those too old, and those too many."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            spare_bytes, dropped = 0, list[tuple[str]]()
            oldest_s = time.time() - SHADOW_SPARE_S
            for sha256, size_bytes, used_s in self._db.execute(_SPARE).fetchall():
                spare_bytes += size_bytes
                if used_s < oldest_s or spare_bytes > SHADOW_SPARE_BYTES_MAX:
                    dropped.append((sha256,))
            self._db.executemany("DELETE FROM contents WHERE sha256 = ?", dropped)
        # Each step gives one page back, and only a script is stepped to its end.
        self._db.executescript("PRAGMA incremental_vacuum")
