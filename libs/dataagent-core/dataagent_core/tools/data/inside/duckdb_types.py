"""DuckDB's types: what they hold, and what of them a Parquet file cannot."""

import re
from collections.abc import Sequence

from .table_names import quoted

_BEHIND = re.compile(r"[\s(\[].*", re.DOTALL)
_KINDS = {
    "BOOLEAN": "boolean",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "BIGNUM"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    "DECIMAL": "decimal",
    **dict.fromkeys(("FLOAT", "DOUBLE"), "float"),
    "DATE": "date",
    "TIME": "time",
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "timestamp"),
    "INTERVAL": "interval",
    "BLOB": "binary",
    **dict.fromkeys(("STRUCT", "MAP", "UNION", "LIST", "ARRAY"), "nested"),
}
_NOT_IN_PARQUET = re.compile(r"\b(INTERVAL|BIT|UNION|BIGNUM|TIME WITH TIME ZONE|TIMETZ)\b")


def kind_of(name: str) -> str:
    """Name what a type holds (`model.ColumnKind`)."""
    if name.endswith("]"):
        return "nested"
    return _KINDS.get(_BEHIND.sub("", name), "text")


def for_parquet(sql: str, names: Sequence[str], types: Sequence[str]) -> str:
    """Give the query with its columns cast, where a Parquet file could not hold them."""
    if not any(map(_as_text, types)):
        return sql
    picked = ", ".join(
        f"{_cast(f'c{n}', kind)} AS {quoted(name)}"
        for n, (name, kind) in enumerate(zip(names, types, strict=True))
    )
    aliases = ", ".join(f"c{n}" for n in range(len(types)))
    return f"SELECT {picked} FROM ({sql}) AS q({aliases})"


def _as_text(kind: str) -> bool:
    return kind.startswith("ENUM") or bool(_NOT_IN_PARQUET.search(_without_quoted(kind)))


def _cast(column: str, kind: str) -> str:
    return f"{column}::VARCHAR" if _as_text(kind) else column


def _without_quoted(kind: str) -> str:
    """Leave out names of fields and values of enumerations that look like types."""
    return re.sub(r"""'[^']*'|"[^"]*\"""", "", kind)
