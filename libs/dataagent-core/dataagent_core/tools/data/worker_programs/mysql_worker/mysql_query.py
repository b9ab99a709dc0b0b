"""Runs one query on MySQL and streams its rows."""

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

# Ends the statement of a connection (by its number) from another connection; returns false if the
# statement had ended by itself, so that the rest of the result is already sent.
EndStatement = Callable[[int], bool]
# The most a server may have sent without being read: what the buffers of the sockets hold.
_UNREAD_BYTES_MAX = 64 * 1024 * 1024


def run_mysql_query(
    connection: Connection,
    sql: str,
    into: str,
    limits: tuple[int, int],
    token: str,
    *,
    end_statement: EndStatement,
) -> dict[str, Any]:
    """Run the query on a raw connection and write its rows within the limits (rows, bytes)."""
    zero_dates: dict[str, None] = {}
    cursor = connection.cursor()

    def run() -> tuple[Sequence[TextColumn], Iterator[Row]]:
        nonlocal cursor
        cursor.close()  # reads the rest of an earlier run
        cursor = connection.cursor()
        # The comment lets another connection find the statement to end it.
        cursor.execute(f"/* {token} */ {sql}")
        # The public description leaves out signs, character sets and scales.
        fields = getattr(getattr(cursor, "_result", None), "fields", ())
        return make_mysql_columns(
            fields, lambda name: zero_dates.update({name: None})
        ), _iterate_rows(cursor)

    try:
        answer = stream_to_parquet(run, into, *limits)
        notes = _read_warnings(connection, cursor, end_statement)
    finally:
        _abandon(cursor)
    if zero_dates:
        notes.append(f"Dates 0000-00-00 are given as NULL (columns: {', '.join(zero_dates)}).")
    return {**answer, "notes": notes}


def _read_warnings(connection: Connection, cursor: Any, end_statement: EndStatement) -> list[str]:
    """Return the server's warnings, which it sends after the last row.

    If the result exceeds the limits, the statement is ended first.
    """
    result = getattr(cursor, "_result", None)
    if result is None:
        return []
    is_cut = bool(result.unbuffered_active)
    if (is_cut and not _end_statement(connection, result, end_statement)) or not (
        is_cut or result.warning_count
    ):
        return []
    found = ServerWarnings()
    try:
        warnings = connection.show_warnings()
    except pymysql.MySQLError:
        if is_cut:  # the connection was lost: keep the rows
            return []
        raise
    for level, code, message in warnings:
        if level == b"Warning":  # an error only says that the statement was ended
            found.add(code, message.decode("utf-8", "replace"))
    return found.notes(0 if is_cut else result.warning_count, is_cut=is_cut)


def _end_statement(connection: Connection, result: Any, end_statement: EndStatement) -> bool:
    """End the statement and read what was sent; say whether the connection is free then."""
    try:
        was_running = end_statement(connection.thread_id())
    except (QuestionError, OSError):  # no second connection: keep the rows
        return False
    if not was_running:
        return _drain(result)
    with suppress(pymysql.MySQLError):
        result._finish_unbuffered_query()  # noqa: SLF001 - ends with the error it was ended by
    result.unbuffered_active = False
    return True


def _drain(result: Any) -> bool:
    """Read what the server has sent, within a limit; say whether that was everything."""
    bytes_read = 0
    with suppress(pymysql.MySQLError):
        while bytes_read < _UNREAD_BYTES_MAX and result.unbuffered_active:
            row = result._read_rowdata_packet_unbuffered()  # noqa: SLF001 - no other way by parts
            bytes_read += sum(len(value) for value in row or () if value is not None)
    return not result.unbuffered_active


def _iterate_rows(cursor: Any) -> Iterator[Row]:
    # Not the cursor itself: closing it would read everything that is left.
    return iter(cursor.fetchone, None)


def _abandon(cursor: Any) -> None:
    """Keep the driver from reading the rest of the result when it closes."""
    result = getattr(cursor, "_result", None)
    if result is not None:
        result.unbuffered_active = False
