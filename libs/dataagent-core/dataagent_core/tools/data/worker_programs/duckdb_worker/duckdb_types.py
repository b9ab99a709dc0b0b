"""Classifies DuckDB's types, and casts those that Parquet does not have."""

import re
from collections.abc import Collection, Sequence

from ..table_names import quote_name

_PARAMETERS = re.compile(r"[\s(\[].*", re.DOTALL)
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
    """Return the kind of a type (`data_model.ColumnKind`)."""
    if name.endswith("]"):
        return "nested"
    return _KINDS.get(_PARAMETERS.sub("", name), "text")


def cast_for_parquet(
    sql: str, names: Sequence[str], types: Sequence[str], texts: Collection[int] = ()
) -> str:
    """Return the query with a cast of each column that Parquet cannot hold.

    `texts` are positions of columns that become text for another reason.
    """
    cast = {position for position, kind in enumerate(types) if _needs_text(kind)}.union(texts)
    if not cast:
        return sql
    picked = ", ".join(
        f"c{position}{'::VARCHAR' if position in cast else ''} AS {quote_name(name)}"
        for position, name in enumerate(names)
    )
    aliases = ", ".join(f"c{position}" for position in range(len(types)))
    return f"SELECT {picked} FROM ({sql}) AS q({aliases})"


def _needs_text(kind: str) -> bool:
    return kind.startswith("ENUM") or bool(_NOT_IN_PARQUET.search(_remove_quoted(kind)))


def _remove_quoted(kind: str) -> str:
    """Remove quoted names of fields and values, which may look like types."""
    return re.sub(r"""'[^']*'|"[^"]*\"""", "", kind)
