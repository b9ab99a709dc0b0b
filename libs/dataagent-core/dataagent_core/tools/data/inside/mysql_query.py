"""One query on MySQL: rows as they come, never the whole answer at once."""

from collections.abc import Iterator, Sequence
from typing import Any

from .mysql_connect import Connection
from .mysql_types import text_columns
from .server_warnings import ServerWarnings
from .sql_columns import TextColumn
from .sql_stream import Row, stream_to_parquet


def query_into(
    connection: Connection, sql: str, into: str, most: tuple[int, int], token: str
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
        return text_columns(fields, lambda name: zero_dates.update({name: None})), _rows(cursor)

    try:
        answer = stream_to_parquet(run, into, *most)
        notes = _warnings(connection, cursor)
    finally:
        _let_go(cursor)
    if zero_dates:
        notes.append(f"Dates 0000-00-00 are given as NULL (columns: {', '.join(zero_dates)}).")
    return {**answer, "notes": notes}


def _warnings(connection: Connection, cursor: Any) -> list[str]:
    """Ask what the server warned of; it says so after the last row, and not before."""
    result = getattr(cursor, "_result", None)
    if result is None or result.unbuffered_active or not result.warning_count:
        return []
    found = ServerWarnings()
    for level, code, message in connection.show_warnings():
        if level != b"Note":
            found.add(code, message.decode("utf-8", "replace"))
    return found.notes(result.warning_count)


def _rows(cursor: Any) -> Iterator[Row]:
    # Not the cursor itself: to close it is to read everything that is left.
    return iter(cursor.fetchone, None)


def _let_go(cursor: Any) -> None:
    """Keep the driver from reading the rest of an answer nobody wants before it closes."""
    result = getattr(cursor, "_result", None)
    if result is not None:
        result.unbuffered_active = False
