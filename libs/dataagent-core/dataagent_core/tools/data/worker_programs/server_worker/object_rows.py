"""Converts rows of Python values to the text cells of `sql_stream`."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pyarrow as pa

from .sql_columns import Cell, TextColumn
from .sql_stream import Row

PEEKED_ROWS = 1_000


def make_text_columns(names: Sequence[str], peeked: Sequence[Sequence[Any]]) -> list[TextColumn]:
    """Make the columns by the values of the first rows."""
    return [
        TextColumn(name, _find_type([row[position] for row in peeked if row[position] is not None]))
        for position, name in enumerate(names)
    ]


def make_text_cells(rows: Iterable[Sequence[Any]]) -> Iterator[Row]:
    """Write each value as text."""
    for row in rows:
        yield [_write_cell(value) for value in row]


def _find_type(values: Sequence[Any]) -> pa.DataType | None:
    kinds = {type(value) for value in values}
    if kinds == {datetime}:
        return pa.timestamp("us", "UTC" if values[0].tzinfo is not None else None)
    known: dict[type, pa.DataType | None] = {
        bool: pa.bool_(),
        int: pa.int64(),
        float: pa.float64(),
        Decimal: None,
        date: pa.date32(),
        time: pa.time64("us"),
        bytes: pa.binary(),
    }
    return known.get(kinds.pop(), pa.string()) if len(kinds) == 1 else pa.string()


def _write_cell(value: Any) -> Cell:
    match value:
        case None:
            return None
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case bool():
            return b"true" if value else b"false"
        case dict() | list() | tuple():
            return json.dumps(value, default=str, ensure_ascii=False).encode()
        case _:
            return str(value).encode("utf-8", "replace")
