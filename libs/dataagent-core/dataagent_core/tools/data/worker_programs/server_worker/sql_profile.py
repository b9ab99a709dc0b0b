"""Profiles the columns of a sample in a Parquet file."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

_SHOWN_CHARS_MAX = 200
_TOP_MAX = 5
_SAMPLES_MAX = 5


def profile_parquet(path: str, *, is_whole: bool) -> list[dict[str, Any]]:
    """Describe each column of the file, which has all rows of the table if `is_whole`."""
    table = pq.read_table(path)
    return [
        {"name": name, "is_whole": is_whole, **_profile_column(table.column(position))}
        for position, name in enumerate(table.column_names)
    ]


def _profile_column(column: pa.ChunkedArray) -> dict[str, Any]:
    rows, values = len(column), column.drop_null()
    facts: dict[str, Any] = {
        "nulls_fraction": (rows - len(values)) / rows if rows else None,
        "top": [],
        "samples": [],
    }
    if pa.types.is_binary(column.type):
        return facts
    facts["distinct"] = _call_arrow("count_distinct", values).as_py()
    if not len(values):
        return facts
    if not pa.types.is_boolean(column.type):
        bounds = _call_arrow("min_max", values).as_py()
        facts["minimum"], facts["maximum"] = _shorten(bounds["min"]), _shorten(bounds["max"])
    if _is_number(column.type):
        facts["mean"] = _call_arrow("mean", values.cast(pa.float64(), safe=False)).as_py()
    counts = values.value_counts()
    options = pc.ArraySortOptions("descending")
    order = pc.call_function("array_sort_indices", [counts.field("counts")], options)
    frequent = counts.take(order[:_TOP_MAX]).to_pylist()
    facts["top"] = [[_shorten(each["values"]), each["counts"]] for each in frequent]
    facts["samples"] = [_shorten(each["values"]) for each in counts[:_SAMPLES_MAX].to_pylist()]
    return facts


def _call_arrow(function: str, values: pa.ChunkedArray) -> Any:
    return pc.call_function(function, [values])


def _is_number(type_: pa.DataType) -> bool:
    return pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_)


def _shorten(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN_CHARS_MAX else text[:_SHOWN_CHARS_MAX] + "..."
