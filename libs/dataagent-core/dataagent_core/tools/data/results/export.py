"""A result as a file to send on: CSV, Parquet or Excel."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dataagent_core.tools.data.privacy.cells import mask_for
from dataagent_core.tools.data.results.kept import Kept, personal_kinds
from dataagent_core.tools.data.results.preview import cell_text

if TYPE_CHECKING:
    import pyarrow as pa

ExportFormat = Literal["csv", "parquet", "xlsx"]
_CELL_CHARS_MAX = 10_000_000


async def export(
    kept: Kept, source: Path, target: Path, form: ExportFormat, *, for_model: bool
) -> None:
    """Write a result to a new file; one a model can read is masked like everything it reads."""
    await asyncio.to_thread(_export, kept, source, target, form, for_model=for_model)


def _export(kept: Kept, source: Path, target: Path, form: ExportFormat, *, for_model: bool) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(source)
    if for_model:
        table = _masked(kept, table)
    match form:
        case "parquet":
            pq.write_table(table, target, compression="zstd")
        case "csv":
            _write_csv(table, target)
        case "xlsx":
            from dataagent_core.tools.data.results.xlsx import write_xlsx

            write_xlsx(table, target)


def _masked(kept: Kept, table: "pa.Table") -> "pa.Table":
    import pyarrow as pa

    kinds, mask = personal_kinds(kept), mask_for(kept)
    for index, field in enumerate(table.schema):
        # What stands in for a value is text; elsewhere only texts are changed, not their type.
        kind = pa.string() if field.name in kinds else field.type
        if field.name not in kinds and not (_is_text(kind) or pa.types.is_nested(kind)):
            continue
        values = [mask(field.name, value) for value in table.column(index).to_pylist()]
        table = table.set_column(index, field.name, pa.chunked_array([pa.array(values, kind)]))
    return table


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_dictionary)
    return any(test(kind) for test in tests)


def _write_csv(table: "pa.Table", target: Path) -> None:
    import pyarrow as pa
    import pyarrow.csv as pa_csv

    plain = pa.table(
        {
            f"{index}": _as_text(column)
            if pa.types.is_nested(column.type) or pa.types.is_binary(column.type)
            else column
            for index, column in enumerate(table.columns)
        }
    ).rename_columns(table.column_names)
    pa_csv.write_csv(plain, target)


def _as_text(column: "pa.ChunkedArray") -> "pa.Array":
    import pyarrow as pa

    return pa.array(
        [
            None if value is None else cell_text(value, _CELL_CHARS_MAX)
            for value in column.to_pylist()
        ],
        pa.string(),
    )
