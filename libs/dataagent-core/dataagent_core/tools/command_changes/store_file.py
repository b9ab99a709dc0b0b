"""The SQLite file a workspace's contents are in, opened for one look at a time.

Nothing in it is irreplaceable, so nothing waits for the disk, and a file that a crash of the
machine broke is removed and made anew.
"""

import contextlib
import sqlite3
from collections.abc import Generator
from pathlib import Path

from dataagent_core.config.limits import SHADOW_BUSY_S
from dataagent_core.session.stores.sqlite.private_file import make_private
from dataagent_core.tools.command_changes.store import ContentStore

_NAME = "shadow-1.db"
_TABLES = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS contents (
    sha256 TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, used_s REAL NOT NULL, data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS contents_by_age ON contents (used_s, sha256, size_bytes);
CREATE TABLE IF NOT EXISTS files (
    path BLOB PRIMARY KEY, sha256 TEXT NOT NULL, device INTEGER, inode INTEGER,
    size_bytes INTEGER, modified_ns INTEGER, changed_ns INTEGER, mode INTEGER
);
CREATE INDEX IF NOT EXISTS files_by_content ON files (sha256);
"""


@contextlib.contextmanager
def open_store(folder: Path) -> Generator[ContentStore]:
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
        connection.executescript(_TABLES)
    except BaseException:
        connection.close()
        raise
    return connection
