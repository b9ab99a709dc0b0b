"""Checks that dates and times are in Python's calendar: the years 1 to 9999, finite."""

import datetime as dt
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

_DAY_S = 86_400
_EPOCH = dt.date(1970, 1, 1)
_FIRST_DAY = (dt.date.min - _EPOCH).days
_LAST_DAY = (dt.date.max - _EPOCH).days
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def is_in_calendar(array: pa.Array) -> bool:
    """Say whether every date and time in an array, nested ones too, is one of Python's."""
    return all(map(_are_all_within, _find_temporal(array)))


def _find_temporal(array: pa.Array) -> Iterator[pa.Array]:
    kind = array.type
    if pa.types.is_date32(kind) or pa.types.is_timestamp(kind):
        yield array
    elif pa.types.is_struct(kind):
        for part in array.flatten():
            yield from _find_temporal(part)
    elif pa.types.is_map(kind):
        yield from _find_temporal(array.keys)
        yield from _find_temporal(array.items)
    elif pa.types.is_nested(kind) and kind.num_fields == 1:  # a list of any sort
        yield from _find_temporal(array.flatten())


def _are_all_within(array: pa.Array) -> bool:
    kind = array.type
    number = pa.int32() if pa.types.is_date32(kind) else pa.int64()
    found = pc.call_function("min_max", [array.view(number)]).as_py()
    if found["min"] is None:
        return True
    scale = 1 if pa.types.is_date32(kind) else _DAY_S * _PER_SECOND[kind.unit]
    first = _FIRST_DAY * scale
    return first <= found["min"] and found["max"] < (_LAST_DAY + 1) * scale
