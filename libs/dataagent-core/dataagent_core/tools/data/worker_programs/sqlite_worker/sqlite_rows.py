"""Writes rows of SQLite, where every value has its own type, as typed columns.

The values decide a column's type: integers with fractions become floats if none loses digits, and
anything with text becomes text. The first rows decide. If a later row does not fit, the rest is
only scanned, and the query runs again with types that fit all rows.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..parquet_output import write_parquet
from ..table_names import make_column_names

_BATCH_ROWS = 10_000
_BATCH_BYTES = 8_000_000
# Rows can be wide: this many are fetched before their size is checked.
_FETCHED_ROWS = 16
# Read before the types are decided.
_AHEAD_BYTES = 32_000_000
_RUNS_MAX = 4
_EXACT = 2**53

_Row = tuple[Any, ...]


class _ValueMisfitError(Exception):
    """A later value does not fit its column's type."""


@dataclass(frozen=True, slots=True)
class _RowChunk:
    """Some rows as columns, each of the narrowest type, and the kinds of their values."""

    arrays: list[pa.Array]
    found: list[set[str]]

    @property
    def size_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays)


def write_typed(
    run: Callable[[], sqlite3.Cursor], into: str, rows_max: int, bytes_max: int
) -> dict[str, Any]:
    """Write the rows within the limits; returns the reply of `write_parquet`."""
    kinds: list[set[str]] = []
    for number in range(_RUNS_MAX + 1):
        cursor = run()
        names = make_column_names([column[0] for column in cursor.description or ()])
        kinds = kinds or [set() for _ in names]
        chunks = _read_chunks(cursor, rows_max, bytes_max)
        first = _read_ahead(chunks, kinds)
        types = [_choose_type(found) for found in kinds]
        if number == _RUNS_MAX:  # every run had other values: everything as text
            types, rest = [pa.string() for _ in names], chunks
        else:
            rest = _check_types(chunks, kinds, types)
        schema = pa.schema([pa.field(name, kind) for name, kind in zip(names, types, strict=True)])
        batches = (_make_batch(chunk, schema) for chunk in chain(first, rest))
        try:
            return write_parquet(schema, batches, into, rows_max, bytes_max)
        except _ValueMisfitError:
            for chunk in chunks:
                _add_kinds(kinds, chunk)
        finally:
            Path(f"{into}.part").unlink(missing_ok=True)
    raise AssertionError


def _read_ahead(chunks: Iterator[_RowChunk], kinds: list[set[str]]) -> list[_RowChunk]:
    chunks_read: list[_RowChunk] = []
    size_bytes = 0
    for chunk in chunks:
        _add_kinds(kinds, chunk)
        chunks_read.append(chunk)
        size_bytes += chunk.size_bytes
        if size_bytes > _AHEAD_BYTES:
            break
    return chunks_read


def _add_kinds(kinds: list[set[str]], chunk: _RowChunk) -> None:
    for known, here in zip(kinds, chunk.found, strict=True):
        known.update(here)


def _check_types(
    chunks: Iterator[_RowChunk], kinds: list[set[str]], types: Sequence[pa.DataType]
) -> Iterator[_RowChunk]:
    for chunk in chunks:
        _add_kinds(kinds, chunk)
        if [_choose_type(found) for found in kinds] != types:
            raise _ValueMisfitError
        yield chunk


def _read_chunks(cursor: sqlite3.Cursor, rows_max: int, bytes_max: int) -> Iterator[_RowChunk]:
    """Read bounded chunks; one row more than `rows_max`, to know whether there are more."""
    count = size_bytes = 0
    while count <= rows_max and size_bytes <= bytes_max:
        rows = _fetch_rows(cursor, min(_BATCH_ROWS, rows_max + 1 - count))
        if not rows:
            return
        count += len(rows)
        columns = list(zip(*rows, strict=True))
        found = [set(map(_classify_value, values)) for values in columns]
        chunk = _RowChunk(
            [
                _make_array(values, _choose_type(here))
                for values, here in zip(columns, found, strict=True)
            ],
            found,
        )
        size_bytes += chunk.size_bytes
        yield chunk


def _fetch_rows(cursor: sqlite3.Cursor, rows_max: int) -> list[_Row]:
    rows: list[_Row] = []
    size_bytes = 0
    while len(rows) < rows_max and size_bytes < _BATCH_BYTES:
        some: list[_Row] = cursor.fetchmany(min(_FETCHED_ROWS, rows_max - len(rows)))
        if not some:
            break
        rows += some
        size_bytes += sum(len(v) for row in some for v in row if isinstance(v, str | bytes))
    return rows


def _make_batch(chunk: _RowChunk, schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [_widen(array, kind) for array, kind in zip(chunk.arrays, schema.types, strict=True)],
        schema=schema,
    )


def _classify_value(value: Any) -> str:
    if isinstance(value, int):
        return "integer" if -_EXACT <= value <= _EXACT else "long"
    return type(value).__name__


def _choose_type(found: set[str]) -> pa.DataType:
    kinds = found - {"NoneType"}
    if kinds <= {"integer", "long"} and kinds:
        return pa.int64()
    if kinds <= {"integer", "float"} and kinds:
        return pa.float64()
    return pa.binary() if kinds == {"bytes"} else pa.string()


def _make_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    return pa.array(map(_write_text, values) if pa.types.is_string(kind) else values, kind)


def _widen(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if pa.types.is_string(kind) or array.null_count == len(array):
        return _make_array(array.to_pylist(), kind)
    return array.cast(kind)


def _write_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.hex() if isinstance(value, bytes) else repr(value)
