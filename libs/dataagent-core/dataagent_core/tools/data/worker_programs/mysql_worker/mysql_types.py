"""Maps MySQL's types to Arrow types and to column kinds."""

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pymysql.constants import FIELD_TYPE, FLAG

from ..server_worker.sql_columns import DECIMAL_DIGITS_MAX, Cell, TextColumn

_INTEGERS = frozenset(
    {
        FIELD_TYPE.TINY,
        FIELD_TYPE.SHORT,
        FIELD_TYPE.INT24,
        FIELD_TYPE.LONG,
        FIELD_TYPE.LONGLONG,
        FIELD_TYPE.YEAR,
    }
)
_DECIMALS = frozenset({FIELD_TYPE.DECIMAL, FIELD_TYPE.NEWDECIMAL})
_TYPES: dict[int, pa.DataType] = {
    FIELD_TYPE.FLOAT: pa.float64(),
    FIELD_TYPE.DOUBLE: pa.float64(),
    FIELD_TYPE.TIME: pa.time64("us"),
    FIELD_TYPE.BIT: pa.uint64(),
    FIELD_TYPE.GEOMETRY: pa.binary(),
}
_DATES: dict[int, pa.DataType] = {
    FIELD_TYPE.DATE: pa.date32(),
    FIELD_TYPE.NEWDATE: pa.date32(),
    FIELD_TYPE.DATETIME: pa.timestamp("us"),
    # A point in time: the session's time zone is UTC.
    FIELD_TYPE.TIMESTAMP: pa.timestamp("us", "UTC"),
}
_BYTES = frozenset(
    {
        FIELD_TYPE.TINY_BLOB,
        FIELD_TYPE.MEDIUM_BLOB,
        FIELD_TYPE.LONG_BLOB,
        FIELD_TYPE.BLOB,
        FIELD_TYPE.VAR_STRING,
        FIELD_TYPE.VARCHAR,
        FIELD_TYPE.STRING,
    }
)
_BINARY_CHARSET = 63
_KINDS = {
    "tinyint": "integer",
    "smallint": "integer",
    "mediumint": "integer",
    "int": "integer",
    "bigint": "integer",
    "year": "integer",
    "bit": "integer",
    "decimal": "decimal",
    "float": "float",
    "double": "float",
    "date": "date",
    "datetime": "timestamp",
    "timestamp": "timestamp",
    "time": "time",
    "json": "nested",
    "binary": "binary",
    "varbinary": "binary",
    "tinyblob": "binary",
    "blob": "binary",
    "mediumblob": "binary",
    "longblob": "binary",
    "geometry": "binary",
    "point": "binary",
    "linestring": "binary",
    "polygon": "binary",
}


def make_mysql_columns(fields: Sequence[Any], zero_seen: Callable[[str], None]) -> list[TextColumn]:
    """Make the columns of a result; `zero_seen` is called for dates 0000-00-00."""
    return [_make_column(field, zero_seen) for field in fields]


def classify_mysql_type(data_type: str) -> str:
    """Return the kind of a column in the catalogue."""
    return _KINDS.get(data_type.lower(), "text")


def _make_column(field: Any, zero_seen: Callable[[str], None]) -> TextColumn:
    name, code = str(field.name), int(field.type_code)
    unsigned = bool(field.flags & FLAG.UNSIGNED)
    if code in _INTEGERS:
        return TextColumn(name, pa.uint64() if unsigned else pa.int64())
    if code in _DECIMALS:
        return TextColumn(name, _make_decimal_type(field, unsigned=unsigned))
    if code == FIELD_TYPE.BIT:
        return TextColumn(name, _TYPES[code], _convert_bits)
    if code in _DATES:
        zone = b"Z" if code == FIELD_TYPE.TIMESTAMP else b""
        return TextColumn(name, _DATES[code], _make_date_reader(name, zero_seen, zone))
    if code in _BYTES and field.charsetnr == _BINARY_CHARSET and field.flags & FLAG.BINARY:
        return TextColumn(name, pa.binary())
    return TextColumn(name, _TYPES.get(code, pa.string()))


def _make_decimal_type(field: Any, *, unsigned: bool) -> pa.DataType | None:
    scale = int(field.scale)
    digits = int(field.length) - (1 if scale else 0) - (0 if unsigned else 1)
    if not 0 < digits <= DECIMAL_DIGITS_MAX or scale > digits:
        return None
    return pa.decimal128(digits, scale)


def _convert_bits(cell: bytes) -> bytes:
    return str(int.from_bytes(cell, "big")).encode()


def _make_date_reader(
    name: str, zero_seen: Callable[[str], None], zone: bytes
) -> Callable[[bytes], Cell]:
    def read(cell: bytes) -> Cell:
        if cell.startswith(b"0000-00-00"):
            zero_seen(name)
            return None
        return cell + zone

    return read
