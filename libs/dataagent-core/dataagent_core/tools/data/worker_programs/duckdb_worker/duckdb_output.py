"""Runs a query of DuckDB and streams its rows to a file."""

from collections.abc import Iterable, Iterator
from typing import Any

import duckdb
import pyarrow as pa

from ..csv_reader.calendar_range import is_in_calendar
from ..parquet_output import join_batches, write_parquet
from ..table_names import make_column_names
from .duckdb_types import cast_for_parquet, classify_duckdb_type

# One of DuckDB's own vectors: rows can be wide.
_BATCH_ROWS = 2_048


class _BeyondCalendarError(Exception):
    """Columns hold dates beyond Python's calendar; `positions` are their positions."""

    def __init__(self, positions: set[int]) -> None:
        super().__init__()
        self.positions = positions


def write_query_rows(
    connection: duckdb.DuckDBPyConnection, sql: str, into: str, rows_max: int, bytes_max: int
) -> dict[str, Any]:
    """Write the rows under unique column names, and describe them.

    A column with a date beyond Python's calendar becomes text; this is found while reading, so the
    query runs again.
    """
    seen = connection.sql(sql)
    names = make_column_names(list(seen.columns))
    types = [str(kind) for kind in seen.types]
    texts: set[int] = set()
    while True:
        reader = connection.execute(cast_for_parquet(sql, names, types, texts)).to_arrow_reader(
            _BATCH_ROWS
        )
        schema = pa.schema(
            [field.with_name(name) for field, name in zip(reader.schema, names, strict=True)]
        )
        batches = (batch.rename_columns(names) for batch in reader)
        try:
            answer = write_parquet(
                schema, join_batches(_check_calendar(batches)), into, rows_max, bytes_max
            )
        except _BeyondCalendarError as beyond:  # each time for at least one more column
            texts |= beyond.positions
            continue
        for position, (column, kind) in enumerate(zip(answer["columns"], types, strict=True)):
            # Sums are wider than any integer of Parquet.
            if classify_duckdb_type(kind) == "integer" and position not in texts:
                column["kind"] = "integer"
        return answer


def _check_calendar(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        beyond = {
            position for position, array in enumerate(batch.columns) if not is_in_calendar(array)
        }
        if beyond:
            raise _BeyondCalendarError(beyond)
        yield batch
