"""One query on MySQL: rows as they come, never the whole answer at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import pymysql

from ..question_server import QuestionError
from ..server_worker.server_warnings import ServerWarnings
from ..server_worker.sql_columns import TextColumn
from ..server_worker.sql_stream import Row, stream_to_parquet
from .mysql_connection import Connection
from .mysql_types import make_mysql_columns

# Ends the statement of a connection, known by its number, from another one; false says that it has
# ended by itself: what is left of the answer is on its way.
EndStatement = Callable[[int], bool]
# What a server may have sent of an answer that nobody reads: as much as the sockets' buffers hold.
_ON_ITS_WAY_BYTES_MAX = 64 * 1024 * 1024


def run_mysql_query(
    connection: Connection,
    sql: str,
    into: str,
    most: tuple[int, int],
    token: str,
    *,
    end_statement: EndStatement,
) -> dict[str, Any]:
    """Run the query on a raw connection and write its rows, at most so many rows and bytes."""
    zero_dates: dict[str, None] = {}
    cursor = connection.cursor()

    def run() -> tuple[Sequence[TextColumn], Iterator[Row]]:
        nonlocal cursor
        cursor.close()  # reads what is left when this is not the first run
        cursor = connection.cursor()
        # The comment is how another connection finds the statement when it has to be ended.
        cursor.execute(f"/* {token} */ {sql}")
        # The public description leaves out signs, character sets and scales.
        fields = getattr(getattr(cursor, "_result", None), "fields", ())
        return make_mysql_columns(fields, lambda name: zero_dates.update({name: None})), _rows(
            cursor
        )

    try:
        answer = stream_to_parquet(run, into, *most)
        notes = _warnings(connection, cursor, end_statement)
    finally:
        _let_go(cursor)
    if zero_dates:
        notes.append(f"Dates 0000-00-00 are given as NULL (columns: {', '.join(zero_dates)}).")
    return {**answer, "notes": notes}


def _warnings(connection: Connection, cursor: Any, end_statement: EndStatement) -> list[str]:
    """Ask what the server warned of; it says so after the last row, and not before.

    Where more rows wait than may be kept, the statement is ended first.
    """
    result = getattr(cursor, "_result", None)
    if result is None:
        return []
    is_cut = bool(result.unbuffered_active)
    if (is_cut and not _ended(connection, result, end_statement)) or not (
        is_cut or result.warning_count
    ):
        return []
    found = ServerWarnings()
    try:
        warnings = connection.show_warnings()
    except pymysql.MySQLError:
        if is_cut:  # the connection was lost on the way: the rows are worth more
            return []
        raise
    for level, code, message in warnings:
        if level == b"Warning":  # an error is that the statement was ended
            found.add(code, message.decode("utf-8", "replace"))
    return found.notes(0 if is_cut else result.warning_count, is_cut=is_cut)


def _ended(connection: Connection, result: Any, end_statement: EndStatement) -> bool:
    """End the statement and read what was under way; say whether the connection is free then."""
    try:
        was_running = end_statement(connection.thread_id())
    except (QuestionError, OSError):  # no second connection to be had: the rows are worth more
        return False
    if not was_running:
        return _read_to_the_end(result)
    with suppress(pymysql.MySQLError):
        result._finish_unbuffered_query()  # noqa: SLF001 - ends with the error it was ended by
    result.unbuffered_active = False
    return True


def _read_to_the_end(result: Any) -> bool:
    """Read what the server has sent, within a limit; say whether that was all."""
    bytes_read = 0
    with suppress(pymysql.MySQLError):
        while bytes_read < _ON_ITS_WAY_BYTES_MAX and result.unbuffered_active:
            row = result._read_rowdata_packet_unbuffered()  # noqa: SLF001 - no other way by parts
            bytes_read += sum(len(value) for value in row or () if value is not None)
    return not result.unbuffered_active


def _rows(cursor: Any) -> Iterator[Row]:
    # Not the cursor itself: to close it is to read everything that is left.
    return iter(cursor.fetchone, None)


def _let_go(cursor: Any) -> None:
    """Keep the driver from reading the rest of an answer nobody wants before it closes."""
    result = getattr(cursor, "_result", None)
    if result is not None:
        result.unbuffered_active = False
