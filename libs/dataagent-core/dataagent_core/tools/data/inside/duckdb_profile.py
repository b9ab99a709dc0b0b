"""A look at a sample of a table: how much is missing, how much differs, what is usual."""

from typing import Any

import duckdb

from .table_names import quoted

_TOP = 5
_SAMPLES = 5
_VALUE_CHARS_MAX = 200
_NUMBERS = ("integer", "decimal", "float")
# DuckDB takes or leaves this many rows at once.
_BLOCK_ROWS = 2_048
_BLOCKS_MIN = 20


def profile(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: list[tuple[str, str]],
    sample_rows: int,
    rows: int | None,
    *,
    cheap_to_jump: bool,
) -> list[dict[str, Any]]:
    """Profile columns, each with its kind; a file read from its start gives its first rows."""
    picked = ", ".join(f"{quoted(name)} AS c{n}" for n, (name, _) in enumerate(columns))
    drawn = _drawn(f"SELECT {picked} FROM {table}", sample_rows, rows if cheap_to_jump else None)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE _sample AS {drawn}")
    try:
        return [_one(connection, n, name, kind) for n, (name, kind) in enumerate(columns)]
    finally:
        connection.execute("DROP TABLE _sample")


def _drawn(query: str, sample_rows: int, rows: int | None) -> str:
    """Draw blocks from all over a table and rows from these; the same ones every time."""
    if rows is None or rows <= sample_rows:
        return f"{query} LIMIT {sample_rows}"
    percent = 100 * max(sample_rows, _BLOCKS_MIN * _BLOCK_ROWS) / rows
    blocks = f"TABLESAMPLE system({percent:.6f} PERCENT) REPEATABLE (1)" if percent < 100 else ""  # noqa: PLR2004
    return f"FROM ({query} {blocks}) USING SAMPLE reservoir({sample_rows} ROWS) REPEATABLE (1)"


def _one(connection: duckdb.DuckDBPyConnection, n: int, name: str, kind: str) -> dict[str, Any]:
    column = f"c{n}"
    mean = f"avg({column})" if kind in _NUMBERS else "NULL"
    text = f"left({column}::VARCHAR, {_VALUE_CHARS_MAX})"
    ordered = kind not in ("nested", "binary")
    low, high = (f"min({column})", f"max({column})") if ordered else ("NULL", "NULL")
    row = connection.execute(
        f"SELECT count(*), count({column}), approx_count_distinct({column}), "
        f"left({low}::VARCHAR, {_VALUE_CHARS_MAX}), left({high}::VARCHAR, {_VALUE_CHARS_MAX}), "
        f"{mean} FROM _sample"
    ).fetchone()
    assert row is not None
    count, filled, distinct, minimum, maximum, average = row
    usual = connection.execute(
        f"SELECT {text} AS v, count(*) AS n FROM _sample WHERE {column} IS NOT NULL "
        f"GROUP BY v ORDER BY n DESC, v LIMIT {max(_TOP, _SAMPLES)}"
    ).fetchall()
    return {
        "name": name,
        "nulls_fraction": (count - filled) / count if count else None,
        "distinct": min(distinct, filled),
        "minimum": minimum,
        "maximum": maximum,
        "mean": None if average is None else float(average),
        "top": [[value, number] for value, number in usual[:_TOP] if number > 1],
        "samples": [value for value, _ in usual[:_SAMPLES]],
        "extra": {"sample_rows": count},
    }
