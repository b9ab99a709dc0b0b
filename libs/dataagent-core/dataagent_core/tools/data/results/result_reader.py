"""Reads pages of a stored result from its file."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import ResultPage

# Arrow is large: it is imported on first use.
if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


async def read_page(results: ResultStore, result_id: str, offset: int, limit: int) -> ResultPage:
    """Read some rows; an offset beyond the end gives none."""
    if offset < 0 or limit < 1:
        raise ValidationError(
            f"A page cannot start at {offset} and have {limit} rows: use offset 0 or more, limit 1 "
            "or more."
        )
    kept = await results.get(result_id)
    path = await results.path(result_id)
    rows = await asyncio.to_thread(_read_rows, path, offset, limit)
    return ResultPage(kept=kept, offset=offset, rows=rows)


async def read_table(results: ResultStore, result_id: str) -> "pa.Table":
    """Read a whole result; its size is bounded by what a query may return."""
    import pyarrow.parquet as pq

    return await asyncio.to_thread(pq.read_table, await results.path(result_id))


def _read_rows(path: Path, offset: int, limit: int) -> tuple[tuple[Any, ...], ...]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        rows: list[tuple[Any, ...]] = []
        skip = offset
        for batch in _iterate_batches(file):
            if skip >= batch.num_rows:
                skip -= batch.num_rows
                continue
            part = batch.slice(skip, limit - len(rows))
            skip = 0
            rows.extend(zip(*(column.to_pylist() for column in part.columns), strict=True))
            if len(rows) >= limit:
                break
        return tuple(rows)


def _iterate_batches(file: "pq.ParquetFile") -> "Iterator[pa.RecordBatch]":
    return file.iter_batches(batch_size=1_000)
