"""Maps PostgreSQL's types to Arrow types and to column kinds."""

from collections.abc import Sequence

import psycopg
import pyarrow as pa

from ..server_worker.sql_columns import DECIMAL_DIGITS_MAX, TextColumn

_BYTEA, _NUMERIC = 17, 1700
_TYPES: dict[int, pa.DataType] = {
    16: pa.bool_(),
    20: pa.int64(),
    21: pa.int16(),
    23: pa.int32(),
    26: pa.int64(),
    700: pa.float64(),
    701: pa.float64(),
    1082: pa.date32(),
    1083: pa.time64("us"),
    1114: pa.timestamp("us"),
    1184: pa.timestamp("us", "UTC"),
    _BYTEA: pa.binary(),
}
_KINDS = {
    "bool": "boolean",
    "int2": "integer",
    "int4": "integer",
    "int8": "integer",
    "oid": "integer",
    "numeric": "decimal",
    "money": "decimal",
    "float4": "float",
    "float8": "float",
    "date": "date",
    "time": "time",
    "timetz": "time",
    "timestamp": "timestamp",
    "timestamptz": "timestamp",
    "interval": "interval",
    "bytea": "binary",
    "json": "nested",
    "jsonb": "nested",
}


def make_postgres_columns(description: Sequence[psycopg.Column]) -> list[TextColumn]:
    """Make the columns of a result."""
    return [_make_column(column) for column in description]


def classify_postgres_type(name: str, category: str) -> str:
    """Return the kind of a column in the catalogue; arrays and rows are nested."""
    return "nested" if category in {"A", "C"} else _KINDS.get(name, "text")


def _make_column(column: psycopg.Column) -> TextColumn:
    if column.type_code == _NUMERIC:
        digits, scale = column.precision, column.scale
        if digits is None or scale is None or not 0 <= scale <= digits <= DECIMAL_DIGITS_MAX:
            return TextColumn(column.name, None)
        return TextColumn(column.name, pa.decimal128(digits, scale))
    if column.type_code == _BYTEA:
        return TextColumn(column.name, _TYPES[_BYTEA], _decode_hex)
    return TextColumn(column.name, _TYPES.get(column.type_code, pa.string()))


def _decode_hex(cell: bytes) -> bytes:
    return bytes.fromhex(cell[2:].decode("ascii"))
