"""Exports a result as a CSV, Parquet or Excel file."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dataagent_core.tools.data.privacy.cell_masks import make_cell_mask
from dataagent_core.tools.data.results.result_preview import render_cell_text
from dataagent_core.tools.data.results.stored_result import StoredResult, parse_personal_kinds

if TYPE_CHECKING:
    import pyarrow as pa

ExportFormat = Literal["csv", "parquet", "xlsx"]
_CELL_CHARS_MAX = 10_000_000
_BATCH_ROWS = 4_096


async def write_export(
    kept: StoredResult, source: Path, target: Path, form: ExportFormat, *, for_model: bool
) -> None:
    """Write a result to a new file; a file for a model is masked."""
    await asyncio.to_thread(_export, kept, source, target, form, for_model=for_model)


def _export(
    kept: StoredResult, source: Path, target: Path, form: ExportFormat, *, for_model: bool
) -> None:
    """Write batch by batch: a result may be larger than memory. A partial file never remains."""
    import pyarrow.parquet as pq

    unfinished = target.with_name(f"{target.name}.part")
    try:
        with pq.ParquetFile(source) as file:
            rows = _ExportRows(
                file.schema_arrow, file.iter_batches(_BATCH_ROWS), int(file.metadata.num_rows)
            )
            if for_model:
                rows = _mask_rows(kept, rows)
            match form:
                case "parquet":
                    _write_parquet(rows, unfinished)
                case "csv":
                    _write_csv(rows, unfinished)
                case "xlsx":
                    from dataagent_core.tools.data.results.xlsx_export import write_xlsx

                    write_xlsx(rows.schema.names, rows.batches, rows.count, unfinished)
        unfinished.rename(target)
    finally:
        unfinished.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _ExportRows:
    schema: "pa.Schema"
    batches: "Iterator[pa.RecordBatch]"
    count: int


def _mask_rows(kept: StoredResult, rows: _ExportRows) -> _ExportRows:
    import pyarrow as pa

    kinds, mask = parse_personal_kinds(kept), make_cell_mask(kept)
    # A mask is text; in other columns only texts change, not the type.
    schema = pa.schema(
        [field.with_type(pa.string()) if field.name in kinds else field for field in rows.schema],
        rows.schema.metadata,
    )

    def mask_array(array: "pa.Array", field: "pa.Field") -> "pa.Array":
        kind = field.type
        if field.name not in kinds and not (_is_text(kind) or pa.types.is_nested(kind)):
            return array
        return pa.array([mask(field.name, value) for value in array.to_pylist()], kind)

    batches = (
        pa.RecordBatch.from_arrays(list(map(mask_array, batch.columns, schema)), schema=schema)
        for batch in rows.batches
    )
    return _ExportRows(schema, batches, rows.count)


def _write_parquet(rows: _ExportRows, target: Path) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(target, rows.schema, compression="zstd") as writer:
        for batch in rows.batches:
            writer.write_batch(batch)


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_dictionary)
    return any(test(kind) for test in tests)


def _write_csv(rows: _ExportRows, target: Path) -> None:
    import pyarrow as pa
    import pyarrow.csv as pa_csv

    def needs_text(kind: "pa.DataType") -> bool:
        return pa.types.is_nested(kind) or pa.types.is_binary(kind)

    schema = pa.schema(
        [field.with_type(pa.string()) if needs_text(field.type) else field for field in rows.schema]
    )
    with pa_csv.CSVWriter(target, schema) as writer:
        for batch in rows.batches:
            arrays = [
                _render_as_text(array) if needs_text(array.type) else array
                for array in batch.columns
            ]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))


def _render_as_text(column: "pa.Array") -> "pa.Array":
    import pyarrow as pa

    return pa.array(
        [
            None if value is None else render_cell_text(value, _CELL_CHARS_MAX)
            for value in column.to_pylist()
        ],
        pa.string(),
    )
