"""Rows of SQLite, whose values have types of their own, as columns that have one.

A column's type is what its values are, seen batch by batch before anything is written: integers
that meet fractions become fractions where none is lost, anything that meets text becomes text.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from .table_names import column_names

_BATCH_ROWS = 10_000
_EXACT = 2**53


def typed(
    cursor: sqlite3.Cursor, rows_max: int, bytes_max: int
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Give the schema and the batches; one row more than `rows_max`, so that the rest is seen."""
    names = column_names([column[0] for column in cursor.description or ()])
    # Each batch is as compact as its own values allow until all have been seen.
    batches: list[list[pa.Array]] = []
    kinds: list[set[str]] = [set() for _ in names]
    count = size = 0
    while count <= rows_max and size <= bytes_max:
        rows = cursor.fetchmany(min(_BATCH_ROWS, rows_max + 1 - count))
        if not rows:
            break
        columns = list(zip(*rows, strict=True))
        found = [set(map(_kind, values)) for values in columns]
        arrays = [_array(values, _type(here)) for values, here in zip(columns, found, strict=True)]
        for known, here in zip(kinds, found, strict=True):
            known.update(here)
        batches.append(arrays)
        count += len(rows)
        size += sum(array.nbytes for array in arrays)
    types = [_type(found) for found in kinds]
    schema = pa.schema([pa.field(name, kind) for name, kind in zip(names, types, strict=True)])
    return schema, (
        pa.RecordBatch.from_arrays(
            [_widened(array, kind) for array, kind in zip(arrays, types, strict=True)],
            schema=schema,
        )
        for arrays in batches
    )


def _kind(value: Any) -> str:
    if isinstance(value, int):
        return "integer" if -_EXACT <= value <= _EXACT else "long"
    return type(value).__name__


def _type(found: set[str]) -> pa.DataType:
    kinds = found - {"NoneType"}
    if kinds <= {"integer", "long"} and kinds:
        return pa.int64()
    if kinds <= {"integer", "float"} and kinds:
        return pa.float64()
    return pa.binary() if kinds == {"bytes"} else pa.string()


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    return pa.array(map(_text, values) if pa.types.is_string(kind) else values, kind)


def _widened(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if pa.types.is_string(kind) or array.null_count == len(array):
        return _array(array.to_pylist(), kind)
    return array.cast(kind)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.hex() if isinstance(value, bytes) else repr(value)
