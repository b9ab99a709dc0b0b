"""Results kept from plain Python columns, for tests of what is made of them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dataagent_core.tools.data.data_model import ColumnKind, EngineResult, ResultColumn
from dataagent_core.tools.data.results import FolderResultStore, StoredResult


async def keep(
    results: FolderResultStore,
    columns: Mapping[str, Sequence[Any]],
    *,
    sql: str = "SELECT * FROM orders",
    truncated: bool = False,
) -> StoredResult:
    """Keep columns as a result."""
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    draft = results.draft()
    pq.write_table(table, draft)
    described = tuple(
        ResultColumn(name=f.name, type=str(f.type), kind=_kind(f.type)) for f in table.schema
    )
    ran = EngineResult(
        columns=described,
        row_count=table.num_rows,
        truncated=truncated,
        elapsed_ms=12,
        bytes=draft.stat().st_size,
    )
    return await results.keep(draft, ran, source="shop", dialect="duckdb", sql=sql)


def results_in(folder: Path) -> FolderResultStore:
    return FolderResultStore(folder / "results")


def _kind(kind: pa.DataType) -> ColumnKind:
    looks: list[tuple[Callable[[pa.DataType], bool], ColumnKind]] = [
        (pa.types.is_boolean, "boolean"),
        (pa.types.is_integer, "integer"),
        (pa.types.is_floating, "float"),
        (pa.types.is_decimal, "decimal"),
        (pa.types.is_date, "date"),
        (pa.types.is_timestamp, "timestamp"),
        (pa.types.is_nested, "nested"),
    ]
    for is_it, name in looks:
        if is_it(kind):
            return name
    return "text"
