"""Converts a column of a server's result from text to Arrow without loss.

Servers send text, because every type has a text form and few have a binary one. A value that does
not fit its type (an infinite timestamp, a date before our era, a time of 30 hours, a number with
more digits than a decimal holds) makes the column text.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

Cell = bytes | None
DECIMAL_DIGITS_MAX = 38
_TIME = re.compile(rb"(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?")
_TRUE, _FALSE = frozenset({b"t", b"true", b"1"}), frozenset({b"f", b"false", b"0"})


@dataclass(frozen=True, slots=True)
class TextColumn:
    """The name and preferred type of a column; None means a decimal of unknown digits."""

    name: str
    type: pa.DataType | None
    # Converts the server's form of a value into the one that is read here.
    prepare: Callable[[bytes], Cell] | None = None


def make_array(cells: Sequence[Cell], type_: pa.DataType) -> pa.Array:
    """Read cells as a type; raise `pa.ArrowInvalid` if one does not fit."""
    if pa.types.is_boolean(type_):
        return pa.array([_parse_boolean(cell) for cell in cells], type_)
    if pa.types.is_time(type_):
        return pa.array([_parse_microseconds(cell) for cell in cells], pa.int64()).cast(type_)
    raw = pa.array(cells, pa.binary())
    if pa.types.is_binary(type_):
        return raw
    text = _decode_text(raw, cells)
    if pa.types.is_string(type_):
        return text
    read = pc.cast(text, type_)
    if pa.types.is_temporal(type_) and len(read) and _has_year_zero(read):
        raise pa.ArrowInvalid("a date before the year 1")
    return read


def fit_array(cells: Sequence[Cell], preferred: pa.DataType | None) -> pa.Array:
    """Read cells as the preferred type, else as one that holds all of them, finally text."""
    number = preferred is None or pa.types.is_decimal(preferred)
    for type_ in (preferred, _find_decimal_type(cells) if number else None):
        if type_ is not None:
            with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
                return make_array(cells, type_)
    return make_array(cells, pa.string())


def _find_decimal_type(cells: Sequence[Cell]) -> pa.DataType:
    whole, scale = 1, 0
    for cell in cells:
        if cell is None:
            continue
        number = Decimal(cell.decode("ascii", "replace")) if cell[:1] not in b"NIni" else None
        exponent = number.as_tuple().exponent if number is not None else None
        if number is None or not isinstance(exponent, int):
            return pa.string()  # not a number, or an infinite one
        scale = max(scale, -exponent)
        whole = max(whole, number.adjusted() + 1)
    if whole + scale > DECIMAL_DIGITS_MAX:
        return pa.string()
    return pa.decimal128(DECIMAL_DIGITS_MAX, scale)


def _decode_text(raw: pa.Array, cells: Sequence[Cell]) -> pa.Array:
    try:
        return pc.cast(raw, pa.string())
    except pa.ArrowInvalid:  # not UTF-8, from a database without an encoding
        replaced = [None if cell is None else cell.decode("utf-8", "replace") for cell in cells]
        return pa.array(replaced, pa.string())


def _parse_boolean(cell: Cell) -> bool | None:
    if cell is None:
        return None
    if cell in _TRUE:
        return True
    if cell in _FALSE:
        return False
    raise pa.ArrowInvalid(f"{cell!r} is not true or false")


def _parse_microseconds(cell: Cell) -> int | None:
    if cell is None:
        return None
    found = _TIME.fullmatch(cell)
    if found is None or int(found[1]) > 23:  # noqa: PLR2004 - hours of a day
        raise pa.ArrowInvalid(f"{cell!r} is not a time of day")
    seconds = int(found[1]) * 3_600 + int(found[2]) * 60 + int(found[3])
    return seconds * 1_000_000 + int((found[4] or b"").ljust(6, b"0"))


def _has_year_zero(read: pa.Array) -> bool:
    # Arrow accepts a year 0, which Python and most others do not.
    earliest = pc.call_function("min", [pc.call_function("year", [read])]).as_py()
    return earliest is not None and earliest < 1
