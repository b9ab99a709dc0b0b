"""The SQLite file a workspace's contents are in, opened for one look at a time.

Nothing waits for the disk, and a file that a crash of the machine broke is removed and made anew:
no command depends on it, and a rewind says what it can no longer bring back. The tables `history_*`
are `workspace_history`'s; they are here because they name contents that must stay.
"""

import contextlib
import sqlite3
from collections.abc import Generator
from pathlib import Path

from dataagent_core.config.limits import SHADOW_BUSY_S
from dataagent_core.session.stores.sqlite.private_file import make_private
from dataagent_core.tools.command_changes.content_store import ContentStore

_NAME = "shadow-1.db"
# Raise it with every change of the tables below: a file that bears it has them all.
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
    """Open the store in a private folder for one look at it."""
    try:
        connection = _connected(folder)
    except sqlite3.OperationalError:
        raise  # busy, full or forbidden; the file itself is sound
    except sqlite3.DatabaseError:
        _remove(folder)
        connection = _connected(folder)
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


def _connected(folder: Path) -> sqlite3.Connection:
    path = folder / _NAME
    make_private(path)
    connection = sqlite3.connect(path, timeout=SHADOW_BUSY_S, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        # A store is opened at every look: naming each table again costs as much as the look.
        if connection.execute("PRAGMA user_version").fetchone()[0] != _TABLES_VERSION:
            connection.executescript(f"{_TABLES}\nPRAGMA user_version = {_TABLES_VERSION};")
    except BaseException:
        connection.close()
        raise
    return connection
