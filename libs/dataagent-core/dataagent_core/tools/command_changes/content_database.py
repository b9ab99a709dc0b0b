"""The SQLite file with a workspace's contents by hash, and an index of files by stamp.

A file with the same stamp as its index row has that content, whichever process wrote the row.
Contents that `workspace_history` needs for a rewind are kept as long as it needs them. Those that
nothing refers to are kept as long as a command may run, because it may still compare with them, and
are dropped oldest first when they take too much space.

Writes are not synced, and a file that a crash of the machine damaged is removed and created again:
no command depends on it, and a rewind says what it can no longer restore. The tables `history_*`
belong to `workspace_history`; they are here because they refer to contents that must be kept.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Collection, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits import SHADOW_BUSY_S, SHADOW_SPARE_BYTES_MAX, SHADOW_SPARE_S
from dataagent_core.sandbox.files.file_survey import FileStamp
from dataagent_core.session.stores.sqlite.private_file import make_private

_SPARE = """
SELECT sha256, size_bytes, used_s FROM contents INDEXED BY contents_by_age
WHERE sha256 NOT IN (SELECT sha256 FROM files)
AND NOT EXISTS (SELECT 1 FROM history_changes WHERE before_sha256 = contents.sha256)
AND NOT EXISTS (SELECT 1 FROM history_seen WHERE history_seen.sha256 = contents.sha256)
ORDER BY used_s DESC
"""


@dataclass(frozen=True, slots=True)
class SettledFile:
    """A file whose content is stored."""

    stamp: FileStamp
    sha256: str


class ContentStore:
    """The open contents of one workspace. Blocks."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for other tables of the same file."""
        return self._db

    def index(self) -> dict[str, SettledFile]:
        rows = self._db.execute(
            "SELECT path, sha256, device, inode, size_bytes, modified_ns, changed_ns, mode "
            "FROM files"
        )
        return {os.fsdecode(row[0]): SettledFile(FileStamp(*row[2:]), row[1]) for row in rows}

    def keep(self, contents: dict[str, bytes], settled: dict[str, SettledFile]) -> None:
        """Store contents by their hash, and the files known to hold them, in one transaction."""
        now_s = time.time()
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT INTO contents VALUES (?, ?, ?, ?) "
                "ON CONFLICT (sha256) DO UPDATE SET used_s = excluded.used_s",
                [(sha256, len(data), now_s, data) for sha256, data in contents.items()],
            )
            self._touch_contents(settled, now_s)
            self._db.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(os.fsencode(path), i.sha256, *i.stamp) for path, i in settled.items()],
            )

    def forget(self, paths: Collection[str]) -> None:
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._touch_contents(paths, time.time())
            self._db.executemany(
                "DELETE FROM files WHERE path = ?", [(os.fsencode(path),) for path in paths]
            )

    def _touch_contents(self, paths: Iterable[str], now_s: float) -> None:
        # From now on these contents may be unreferenced.
        self._db.executemany(
            "UPDATE contents SET used_s = ? WHERE sha256 = "
            "(SELECT sha256 FROM files WHERE path = ?)",
            [(now_s, os.fsencode(path)) for path in paths],
        )

    def content(self, sha256: str) -> bytes | None:
        """Return a content, if it is still stored."""
        row = self._db.execute("SELECT data FROM contents WHERE sha256 = ?", (sha256,)).fetchone()
        return row[0] if row else None

    def sweep(self) -> None:
        """Delete unreferenced contents: those too old, and those too many."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            spare_bytes, dropped = 0, list[tuple[str]]()
            oldest_s = time.time() - SHADOW_SPARE_S
            for sha256, size_bytes, used_s in self._db.execute(_SPARE).fetchall():
                spare_bytes += size_bytes
                if used_s < oldest_s or spare_bytes > SHADOW_SPARE_BYTES_MAX:
                    dropped.append((sha256,))
            self._db.executemany("DELETE FROM contents WHERE sha256 = ?", dropped)
        # Each step frees one page, and only a script is stepped to its end.
        self._db.executescript("PRAGMA incremental_vacuum")


_NAME = "shadow-1.db"
# Raise it with every change of the tables below: a file with this version has them all.
_TABLES_VERSION = 1
_TABLES = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS contents (
    sha256 TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, used_s REAL NOT NULL, data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS contents_by_age ON contents (used_s, sha256, size_bytes);
CREATE TABLE IF NOT EXISTS files (
    path BLOB PRIMARY KEY, sha256 TEXT NOT NULL, device INTEGER, inode INTEGER,
    size_bytes INTEGER, modified_ns INTEGER, changed_ns INTEGER, mode INTEGER
);
CREATE INDEX IF NOT EXISTS files_by_content ON files (sha256);
CREATE TABLE IF NOT EXISTS history_calls (
    call_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, run_id TEXT NOT NULL,
    call_key TEXT NOT NULL, tool_name TEXT NOT NULL, begun_s REAL NOT NULL, is_open INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS history_calls_by_run ON history_calls (run_id);
CREATE INDEX IF NOT EXISTS history_calls_open ON history_calls (is_open) WHERE is_open;
CREATE TABLE IF NOT EXISTS history_changes (
    change_id INTEGER PRIMARY KEY AUTOINCREMENT, call_id INTEGER, session_id TEXT NOT NULL,
    path BLOB NOT NULL, is_sure INTEGER NOT NULL, untold TEXT,
    before_sha256 TEXT, before_bytes INTEGER, before_mode INTEGER, before_ns INTEGER,
    after_sha256 TEXT, after_bytes INTEGER, after_mode INTEGER, after_ns INTEGER
);
CREATE INDEX IF NOT EXISTS history_changes_untold ON history_changes (session_id)
    WHERE untold IS NOT NULL;
CREATE INDEX IF NOT EXISTS history_changes_by_call ON history_changes (call_id);
CREATE INDEX IF NOT EXISTS history_changes_by_content ON history_changes (before_sha256);
CREATE TABLE IF NOT EXISTS history_seen (
    path BLOB PRIMARY KEY, sha256 TEXT, size_bytes INTEGER, mode INTEGER, changed_ns INTEGER
);
CREATE INDEX IF NOT EXISTS history_seen_by_content ON history_seen (sha256);
CREATE TABLE IF NOT EXISTS history_look (
    only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER NOT NULL, taken_ns INTEGER NOT NULL,
    is_complete INTEGER NOT NULL, passed_over TEXT NOT NULL, unreadable TEXT NOT NULL,
    kept_since_s REAL NOT NULL
);
"""


@contextlib.contextmanager
def open_content_database(folder: Path) -> Generator[ContentStore]:
    """Open the store in a private folder."""
    try:
        connection = _connect(folder)
    except sqlite3.OperationalError:
        raise  # busy, full or forbidden; the file itself is sound
    except sqlite3.DatabaseError:
        _remove(folder)
        connection = _connect(folder)
    try:
        with contextlib.closing(connection):
            yield ContentStore(connection)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        _remove(folder)
        raise


def _remove(folder: Path) -> None:
    for path in folder.glob(f"{_NAME}*"):
        path.unlink(missing_ok=True)


def _connect(folder: Path) -> sqlite3.Connection:
    path = folder / _NAME
    make_private(path)
    connection = sqlite3.connect(path, timeout=SHADOW_BUSY_S, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        # A store is opened for every snapshot: creating the tables again would double its cost.
        if connection.execute("PRAGMA user_version").fetchone()[0] != _TABLES_VERSION:
            connection.executescript(f"{_TABLES}\nPRAGMA user_version = {_TABLES_VERSION};")
    except BaseException:
        connection.close()
        raise
    return connection
