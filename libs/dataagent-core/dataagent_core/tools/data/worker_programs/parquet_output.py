"""Writes batches of rows to a Parquet file, up to a limit."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

_GROUP_ROWS = 65_536
_GROUP_BYTES = 8_000_000


def write_parquet(
    schema: pa.Schema, batches: Iterable[pa.RecordBatch], path: str, rows_max: int, bytes_max: int
) -> dict[str, Any]:
    """Write the rows within the limits; report their number and whether some were left out.

    The file appears under its name only when it is complete.
    """
    rows, size_bytes, truncated = 0, 0, False
    unfinished = Path(f"{path}.part")
    with pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
        for given in batches:
            batch = given
            if rows + batch.num_rows > rows_max:
                batch, truncated = batch.slice(0, rows_max - rows), True
            size_bytes += batch.nbytes
            if size_bytes > bytes_max and rows:
                truncated = True
                break
            if batch.num_rows:
                writer.write_batch(batch)
            rows += batch.num_rows
            if truncated:
                break
    unfinished.rename(path)
    return {
        "columns": [
            {"name": field.name, "type": str(field.type), "kind": classify_arrow_type(field.type)}
            for field in schema
        ],
        "row_count": rows,
        "truncated": truncated,
        "bytes": Path(path).stat().st_size,
    }


def join_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Join small batches: every written batch becomes a row group."""
    pending: list[pa.RecordBatch] = []
    rows = size_bytes = 0
    for batch in batches:
        pending.append(batch)
        rows += batch.num_rows
        size_bytes += batch.nbytes
        if rows >= _GROUP_ROWS or size_bytes >= _GROUP_BYTES:
            yield pa.concat_batches(pending)
            pending, rows, size_bytes = [], 0, 0
    if pending:
        yield pa.concat_batches(pending)


_KINDS: tuple[tuple[Callable[[pa.DataType], bool], str], ...] = (
    (pa.types.is_boolean, "boolean"),
    (pa.types.is_integer, "integer"),
    (pa.types.is_decimal, "decimal"),
    (pa.types.is_floating, "float"),
    (pa.types.is_date, "date"),
    (pa.types.is_time, "time"),
    (pa.types.is_timestamp, "timestamp"),
    (pa.types.is_duration, "interval"),
    (pa.types.is_interval, "interval"),
    (pa.types.is_binary, "binary"),
    (pa.types.is_large_binary, "binary"),
    (pa.types.is_fixed_size_binary, "binary"),
    (pa.types.is_nested, "nested"),
)


def classify_arrow_type(type_: pa.DataType) -> str:
    """Return the kind of a column (`data_model.ColumnKind`)."""
    if pa.types.is_dictionary(type_):
        return classify_arrow_type(type_.value_type)
    return next((kind for holds, kind in _KINDS if holds(type_)), "text")
