"""Opens a SQLite file read-only, with the standard library.

Every request has its own connection, so that it sees what other programs wrote and holds no lock in
between. A database in WAL mode needs its two side files. If they do not exist, cannot be made, and
no log is pending, the file is opened as `immutable`, and checked for changes afterwards.
"""

import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from ..question_server import QuestionError
from ..table_names import quote_name

_BUSY_MS = 3_000
_STEPS_BETWEEN_LOOKS = 100_000
_VALUE_BYTES_MAX = 64_000_000
_SQL_CHARS_MAX = 1_000_000
_DEPTH_MAX = 500
_READ_ACTIONS = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_RECURSIVE,
    }
)
# Functions that load code, or reach out of the database.
_DENIED_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"})
_TABLE_FUNCTIONS = ("json_each", "json_tree")
# Full-text and R-tree tables, which store their rows in other tables.
_VIRTUAL = """
SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0
AND (sql LIKE 'create virtual table % using fts%'
  OR sql LIKE 'create virtual table % using rtree%')
ORDER BY name LIMIT 200
"""
_PRAGMAS = frozenset(
    {
        "data_version",
        "table_info",
        "table_xinfo",
        "table_list",
        "foreign_key_list",
        "index_list",
        "index_info",
        "index_xinfo",
    }
)
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _VALUE_BYTES_MAX,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: _SQL_CHARS_MAX,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: _DEPTH_MAX,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}


@contextmanager
def open_for_reading(path: str, deadline_s: float | None = None) -> Generator[sqlite3.Connection]:
    """Open for one request; SQLite stops by itself after the deadline."""
    is_immutable = _can_open_immutable(path)
    before = _stat_file(path)
    with closing(_connect(path, immutable=is_immutable)) as connection:
        for limit, value in _LIMITS.items():
            connection.setlimit(limit, value)
        _declare_tables(connection)
        connection.set_authorizer(_authorize)
        if deadline_s is not None:
            ends = time.monotonic() + deadline_s
            connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS_BETWEEN_LOOKS)
        try:
            yield connection
        except sqlite3.Error as error:
            raise QuestionError(_explain_error(str(error))) from error
    if is_immutable and _stat_file(path) != before:
        raise QuestionError("the file was changed while it was read. Ask again")


def _connect(path: str, *, immutable: bool) -> sqlite3.Connection:
    # An absolute path, quoted so that nothing in it is read as a parameter.
    uri = f"file:{quote(str(Path(path).absolute()))}?mode=ro{'&immutable=1' if immutable else ''}"
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise QuestionError(_explain_error(str(error))) from error
    # Invalid UTF-8 is replaced, not refused.
    connection.text_factory = _decode
    return connection


def _declare_tables(connection: sqlite3.Connection) -> None:
    """Declare virtual tables before the authorizer, which would take it for a schema change."""
    # The query itself reports what is wrong with the file.
    with suppress(sqlite3.Error):
        for function in _TABLE_FUNCTIONS:
            connection.execute(f"SELECT 1 FROM {function}('[]')").fetchall()
        for (table,) in connection.execute(_VIRTUAL).fetchall():
            with suppress(sqlite3.Error):
                connection.execute(f"SELECT 1 FROM {quote_name(table)} LIMIT 0").fetchall()
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action in _READ_ACTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        refused = (second or "").lower() in _DENIED_FUNCTIONS
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in _PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _can_open_immutable(path: str) -> bool:
    """Say whether it is in WAL mode without a log: then no program has it open."""
    try:
        with Path(path).open("rb") as file:
            header = file.read(20)
    except OSError as error:
        raise QuestionError(f"the file cannot be read: {error.strerror}") from error
    return header[18:20] == b"\x02\x02" and not Path(f"{path}-wal").exists()


def _stat_file(path: str) -> tuple[int, ...]:
    status = Path(path).stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _explain_error(message: str) -> str:
    match message:
        case "interrupted":
            return "the query took too long and was stopped"
        case "not authorized":
            return "only reading is allowed"
        case "database is locked":
            return "another program is writing to the database. Ask again in a moment"
        case "file is not a database" | "database disk image is malformed":
            return f"the file is damaged or no SQLite database ({message})"
        case "attempt to write a readonly database" | "unable to open database file":
            return (
                "another program left the database in the middle of a change. Open it once with "
                "the program that writes it, then ask again"
            )
        case _:
            return message
