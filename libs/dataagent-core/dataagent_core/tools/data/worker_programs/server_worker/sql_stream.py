"""Rows from a server into a Parquet file, a bounded chunk at a time.

A type is settled on the first chunk. When a later one does not fit it, nothing that was written is
patched: the query is run again with a wider type for that column.
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
# Runs the query: its columns, and its rows as they come.
Run = Callable[[], tuple[Sequence[TextColumn], Iterator[Row]]]


class _ChunkMisfitError(Exception):
    """A later chunk does not fit; holds wider types by a column's position."""

    def __init__(self, wider: dict[int, pa.DataType]) -> None:
        super().__init__()
        self.wider = wider


def stream_to_parquet(run: Run, into: str, rows_max: int, bytes_max: int) -> dict[str, Any]:
    """Write the rows that fit; the answer is that of `write_rows`."""
    settled: dict[int, pa.DataType] = {}
    for number in range(_RUNS_MAX + 1):
        columns, rows = run()
        if not columns:
            raise OwnQuestionError("The SQL gives no columns, so there is nothing to keep.")
        if number == _RUNS_MAX:  # no end of surprises: everything as it was written
            settled = dict.fromkeys(range(len(columns)), pa.string())
        try:
            return _write(columns, rows, settled, into, (rows_max, bytes_max))
        except _ChunkMisfitError as misfit:
            settled |= misfit.wider
        finally:
            close = getattr(rows, "close", None)
            if close is not None:
                close()
            Path(f"{into}.part").unlink(missing_ok=True)
    raise AssertionError


def make_unique_names(names: Iterable[str]) -> list[str]:
    """Give columns of the same name different ones: `id`, `id_2`."""
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


def _write(
    columns: Sequence[TextColumn],
    rows: Iterator[Row],
    settled: dict[int, pa.DataType],
    into: str,
    most: tuple[int, int],
) -> dict[str, Any]:
    rows_max, bytes_max = most
    chunks = _chunks(columns, rows, rows_max, bytes_max)
    empty = [list[Cell]() for _ in columns]
    arrays = [
        fit_array(cells, settled.get(place, column.type))
        for place, (column, cells) in enumerate(zip(columns, next(chunks, empty), strict=True))
    ]
    first = pa.RecordBatch.from_arrays(arrays, names=make_unique_names(c.name for c in columns))
    rest = (_batch(chunk, first.schema) for chunk in chunks)
    return write_parquet(first.schema, chain((first,), rest), into, rows_max, bytes_max)


def _chunks(
    columns: Sequence[TextColumn], rows: Iterator[Row], rows_max: int, bytes_max: int
) -> Iterator[list[list[Cell]]]:
    """Turn rows into columns, one row more than may be kept so that it is known there are more."""
    prepares = [(place, c.prepare) for place, c in enumerate(columns) if c.prepare is not None]
    held, held_bytes = list[Row](), 0
    for number, row in enumerate(rows):
        size_bytes = sum(len(cell) for cell in row if cell is not None)
        if size_bytes > bytes_max:
            raise OwnQuestionError(
                f"One row holds {size_bytes:,} bytes and a result may have {bytes_max:,}. "
                "Ask for fewer columns, or for a part of the long one with substring()."
            )
        if held and held_bytes + size_bytes > CHUNK_BYTES_MAX:
            yield _turned(held, len(columns), prepares)
            held, held_bytes = [], 0
        held.append(row)
        held_bytes += size_bytes
        if len(held) == CHUNK_ROWS_MAX:
            yield _turned(held, len(columns), prepares)
            held, held_bytes = [], 0
        if number == rows_max:
            break
    if held:
        yield _turned(held, len(columns), prepares)


def _turned(
    rows: Sequence[Row], width: int, prepares: Sequence[tuple[int, Callable[[bytes], Cell]]]
) -> list[list[Cell]]:
    turned = [[row[place] for row in rows] for place in range(width)]
    for place, prepare in prepares:
        turned[place] = [None if cell is None else prepare(cell) for cell in turned[place]]
    return turned


def _batch(cells: Sequence[Sequence[Cell]], schema: pa.Schema) -> pa.RecordBatch:
    arrays: list[pa.Array] = []
    wider: dict[int, pa.DataType] = {}
    for place, field in enumerate(schema):
        try:
            arrays.append(make_array(cells[place], field.type))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            wider[place] = fit_array(cells[place], field.type).type
            if pa.types.is_decimal(wider[place]):
                wider[place] = _both(field.type, wider[place])
    if wider:
        raise _ChunkMisfitError(wider)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _both(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    """Keep the scale that earlier chunks need as well."""
    return one if pa.types.is_decimal(one) and one.scale >= other.scale else other
