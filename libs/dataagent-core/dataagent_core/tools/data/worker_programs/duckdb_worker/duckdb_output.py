"""Runs a query of DuckDB and writes its rows as they come."""

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
    """A column holds a date that Python has not; holds the positions of such columns."""

    def __init__(self, places: set[int]) -> None:
        super().__init__()
        self.places = places


def write_query_rows(
    connection: duckdb.DuckDBPyConnection, sql: str, into: str, rows_max: int, bytes_max: int
) -> dict[str, Any]:
    """Write the rows under names that are each there once; say what they are.

    A column with a date that Python has not is text; that is known when it is met, so the query is
    run again.
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
                schema, join_batches(_readable(batches)), into, rows_max, bytes_max
            )
        except _BeyondCalendarError as beyond:  # each time at least one column more
            texts |= beyond.places
            continue
        for place, (column, kind) in enumerate(zip(answer["columns"], types, strict=True)):
            # Sums are wider than any integer of Parquet's.
            if classify_duckdb_type(kind) == "integer" and place not in texts:
                column["kind"] = "integer"
        return answer


def _readable(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        beyond = {place for place, array in enumerate(batch.columns) if not is_in_calendar(array)}
        if beyond:
            raise _BeyondCalendarError(beyond)
        yield batch
