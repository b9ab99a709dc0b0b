"""DuckDB's types: what they hold, and what of them a Parquet file cannot."""

import re
from collections.abc import Collection, Sequence

from ..table_names import quote_name

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
_NOT_IN_PARQUET = re.compile(r"\b(UHUGEINT|INTERVAL|BIT|UNION|BIGNUM|TIME WITH TIME ZONE|TIMETZ)\b")


def classify_duckdb_type(name: str) -> str:
    """Name what a type holds (`model.ColumnKind`)."""
    if name.endswith("]"):
        return "nested"
    return _KINDS.get(_BEHIND.sub("", name), "text")


def cast_for_parquet(
    sql: str, names: Sequence[str], types: Sequence[str], texts: Collection[int] = ()
) -> str:
    """Give the query with its columns cast, where a Parquet file could not hold them.

    `texts` are positions of columns that are to be text for another reason.
    """
    cast = {place for place, kind in enumerate(types) if _as_text(kind)}.union(texts)
    if not cast:
        return sql
    picked = ", ".join(
        f"c{place}{'::VARCHAR' if place in cast else ''} AS {quote_name(name)}"
        for place, name in enumerate(names)
    )
    aliases = ", ".join(f"c{place}" for place in range(len(types)))
    return f"SELECT {picked} FROM ({sql}) AS q({aliases})"


def _as_text(kind: str) -> bool:
    return kind.startswith("ENUM") or bool(_NOT_IN_PARQUET.search(_without_quoted(kind)))


def _without_quoted(kind: str) -> str:
    """Leave out names of fields and values of enumerations that look like types."""
    return re.sub(r"""'[^']*'|"[^"]*\"""", "", kind)
