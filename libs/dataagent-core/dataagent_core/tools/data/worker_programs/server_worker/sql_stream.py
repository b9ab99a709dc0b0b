"""Streams rows from a server into a Parquet file, in bounded chunks.

The first chunk decides the types. If a later chunk does not fit, the query runs again with a wider
type for that column.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..parquet_output import write_parquet
from ..question_server import OwnQuestionError
from .sql_columns import Cell, TextColumn, fit_array, make_array

CHUNK_ROWS_MAX = 10_000
CHUNK_BYTES_MAX = 8_000_000
_RUNS_MAX = 4

Row = Sequence[Cell]
# Runs the query; returns its columns and an iterator of its rows.
Run = Callable[[], tuple[Sequence[TextColumn], Iterator[Row]]]


class _ChunkMisfitError(Exception):
    """A later chunk does not fit; `wider` holds wider types by position."""

    def __init__(self, wider: dict[int, pa.DataType]) -> None:
        super().__init__()
        self.wider = wider


def stream_to_parquet(run: Run, into: str, rows_max: int, bytes_max: int) -> dict[str, Any]:
    """Write the rows within the limits; returns the reply of `write_parquet`."""
    chosen_types: dict[int, pa.DataType] = {}
    for number in range(_RUNS_MAX + 1):
        columns, rows = run()
        if not columns:
            raise OwnQuestionError("The SQL gives no columns, so there is nothing to keep.")
        if number == _RUNS_MAX:  # too many misfits: everything as text
            chosen_types = dict.fromkeys(range(len(columns)), pa.string())
        try:
            return _write_rows(columns, rows, chosen_types, into, (rows_max, bytes_max))
        except _ChunkMisfitError as misfit:
            chosen_types |= misfit.wider
        finally:
            close = getattr(rows, "close", None)
            if close is not None:
                close()
            Path(f"{into}.part").unlink(missing_ok=True)
    raise AssertionError


def make_unique_names(names: Iterable[str]) -> list[str]:
    """Make the names of columns unique: `id`, `id_2`."""
    taken: set[str] = set()
    given: list[str] = []
    for name in names:
        free, number = name or "column", 1
        while free.lower() in taken:
            number += 1
            free = f"{name or 'column'}_{number}"
        taken.add(free.lower())
        given.append(free)
    return given


def _write_rows(
    columns: Sequence[TextColumn],
    rows: Iterator[Row],
    chosen_types: dict[int, pa.DataType],
    into: str,
    limits: tuple[int, int],
) -> dict[str, Any]:
    rows_max, bytes_max = limits
    chunks = _read_chunks(columns, rows, rows_max, bytes_max)
    empty = [list[Cell]() for _ in columns]
    arrays = [
        fit_array(cells, chosen_types.get(position, column.type))
        for position, (column, cells) in enumerate(zip(columns, next(chunks, empty), strict=True))
    ]
    first = pa.RecordBatch.from_arrays(arrays, names=make_unique_names(c.name for c in columns))
    rest = (_make_batch(chunk, first.schema) for chunk in chunks)
    return write_parquet(first.schema, chain((first,), rest), into, rows_max, bytes_max)


def _read_chunks(
    columns: Sequence[TextColumn], rows: Iterator[Row], rows_max: int, bytes_max: int
) -> Iterator[list[list[Cell]]]:
    """Turn rows into columns; read one row more than the limit, to know whether there are more."""
    prepares = [
        (position, c.prepare) for position, c in enumerate(columns) if c.prepare is not None
    ]
    pending, pending_bytes = list[Row](), 0
    for number, row in enumerate(rows):
        size_bytes = sum(len(cell) for cell in row if cell is not None)
        if size_bytes > bytes_max:
            raise OwnQuestionError(
                f"One row holds {size_bytes:,} bytes and a result may have {bytes_max:,}. "
                "Ask for fewer columns, or for a part of the long one with substring()."
            )
        if pending and pending_bytes + size_bytes > CHUNK_BYTES_MAX:
            yield _transpose(pending, len(columns), prepares)
            pending, pending_bytes = [], 0
        pending.append(row)
        pending_bytes += size_bytes
        if len(pending) == CHUNK_ROWS_MAX:
            yield _transpose(pending, len(columns), prepares)
            pending, pending_bytes = [], 0
        if number == rows_max:
            break
    if pending:
        yield _transpose(pending, len(columns), prepares)


def _transpose(
    rows: Sequence[Row], width: int, prepares: Sequence[tuple[int, Callable[[bytes], Cell]]]
) -> list[list[Cell]]:
    turned = [[row[position] for row in rows] for position in range(width)]
    for position, prepare in prepares:
        turned[position] = [None if cell is None else prepare(cell) for cell in turned[position]]
    return turned


def _make_batch(cells: Sequence[Sequence[Cell]], schema: pa.Schema) -> pa.RecordBatch:
    arrays: list[pa.Array] = []
    wider: dict[int, pa.DataType] = {}
    for position, field in enumerate(schema):
        try:
            arrays.append(make_array(cells[position], field.type))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            wider[position] = fit_array(cells[position], field.type).type
            if pa.types.is_decimal(wider[position]):
                wider[position] = _widen(field.type, wider[position])
    if wider:
        raise _ChunkMisfitError(wider)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _widen(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    """Keep the scale that earlier chunks need as well."""
    return one if pa.types.is_decimal(one) and one.scale >= other.scale else other
