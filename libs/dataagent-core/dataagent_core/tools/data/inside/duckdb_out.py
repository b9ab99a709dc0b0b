"""Runs a query of DuckDB and writes its rows as they come."""

from typing import Any

import duckdb
import pyarrow as pa

from .duckdb_types import for_parquet, kind_of
from .parquet_out import gathered, write_rows
from .table_names import column_names

# One of DuckDB's own vectors: rows can be wide.
_BATCH_ROWS = 2_048


def written(
    connection: duckdb.DuckDBPyConnection, sql: str, into: str, rows_max: int, bytes_max: int
) -> dict[str, Any]:
    """Write the rows under names that are each there once; say what they are."""
    seen = connection.sql(sql)
    names = column_names(list(seen.columns))
    types = [str(kind) for kind in seen.types]
    reader = connection.execute(for_parquet(sql, names, types)).to_arrow_reader(_BATCH_ROWS)
    schema = pa.schema(
        [field.with_name(name) for field, name in zip(reader.schema, names, strict=True)]
    )
    batches = (batch.rename_columns(names) for batch in reader)
    answer = write_rows(schema, gathered(batches), into, rows_max, bytes_max)
    for column, kind in zip(answer["columns"], types, strict=True):
        if kind_of(kind) == "integer":  # sums are wider than any integer of Parquet's
            column["kind"] = "integer"
    return answer
