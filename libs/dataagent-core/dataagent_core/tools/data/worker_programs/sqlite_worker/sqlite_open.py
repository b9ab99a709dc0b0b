"""SQLite opened to read one file and do nothing else, by the standard library.

A connection a question: what another program writes is then seen, and no lock is held in between.
A database in WAL mode needs its two files beside it. Where these are not and cannot be made, and
nothing waits in a log, the file is taken as it lies (`immutable`), and looked at again afterwards.
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
_READS = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_RECURSIVE,
    }
)
# Functions that load code, or reach out of the database.
_NO_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"})
_TABLE_FUNCTIONS = ("json_each", "json_tree")
# Full-text and R-tree tables: they keep what they hold in tables beside them.
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
    """Open for one question; past its time SQLite stops by itself."""
    is_still = _may_be_taken_as_it_lies(path)
    before = _stamp(path)
    with closing(_connected(path, immutable=is_still)) as connection:
        for limit, value in _LIMITS.items():
            connection.setlimit(limit, value)
        _declare_tables(connection)
        connection.set_authorizer(_allowed)
        if deadline_s is not None:
            ends = time.monotonic() + deadline_s
            connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS_BETWEEN_LOOKS)
        try:
            yield connection
        except sqlite3.Error as error:
            raise QuestionError(_why(str(error))) from error
    if is_still and _stamp(path) != before:
        raise QuestionError("the file was changed while it was read. Ask again")


def _connected(path: str, *, immutable: bool) -> sqlite3.Connection:
    # Relative to no directory, with nothing in it read as a parameter.
    uri = f"file:{quote(str(Path(path).absolute()))}?mode=ro{'&immutable=1' if immutable else ''}"
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise QuestionError(_why(str(error))) from error
    # What is no UTF-8 is shown with its odd bytes replaced, not refused.
    connection.text_factory = _text
    return connection


def _declare_tables(connection: sqlite3.Connection) -> None:
    """Do before the authorizer what looks to it like a change of the schema; wait for nobody."""
    # What is wrong with the file, the question itself meets and says.
    with suppress(sqlite3.Error):
        for function in _TABLE_FUNCTIONS:
            connection.execute(f"SELECT 1 FROM {function}('[]')").fetchall()
        for (table,) in connection.execute(_VIRTUAL).fetchall():
            with suppress(sqlite3.Error):
                connection.execute(f"SELECT 1 FROM {quote_name(table)} LIMIT 0").fetchall()
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _allowed(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action in _READS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        refused = (second or "").lower() in _NO_FUNCTIONS
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in _PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _may_be_taken_as_it_lies(path: str) -> bool:
    """Say whether it is in WAL mode with no log beside it: then nobody has it open."""
    try:
        with Path(path).open("rb") as file:
            header = file.read(20)
    except OSError as error:
        raise QuestionError(f"the file cannot be read: {error.strerror}") from error
    return header[18:20] == b"\x02\x02" and not Path(f"{path}-wal").exists()


def _stamp(path: str) -> tuple[int, ...]:
    status = Path(path).stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _why(said: str) -> str:
    match said:
        case "interrupted":
            return "the query took too long and was stopped"
        case "not authorized":
            return "only reading is allowed"
        case "database is locked":
            return "another program is writing to the database. Ask again in a moment"
        case "file is not a database" | "database disk image is malformed":
            return f"the file is damaged or no SQLite database ({said})"
        case "attempt to write a readonly database" | "unable to open database file":
            return (
                "another program left the database in the middle of a change. Open it once with "
                "the program that writes it, then ask again"
            )
        case _:
            return said
