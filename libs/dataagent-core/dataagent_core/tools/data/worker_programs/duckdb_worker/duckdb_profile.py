"""Profiles a table: missing values, distinct values, frequent values."""

from typing import Any

import duckdb

from ..table_names import quote_name

_TOP = 5
_SAMPLES = 5
_VALUE_CHARS_MAX = 200
_NUMBERS = ("integer", "decimal", "float")
# DuckDB samples blocks of this many rows.
_BLOCK_ROWS = 2_048
_BLOCKS_MIN = 20
# One pass over this many values takes about a second.
_WHOLE_CELLS_MAX = 50_000_000
# A smaller sample is meant to show values, not to count them.
_PROFILE_ROWS_MIN = 1_000
# The number of expressions of `_write_facts`.
_STATISTICS = 6


def profile_duckdb_table(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: list[tuple[str, str]],
    sample_rows: int,
    rows: int | None,
    *,
    cheap_to_jump: bool,
) -> list[dict[str, Any]]:
    """Profile columns, each with its kind; without `cheap_to_jump`, by the first rows.

    Statistics that need one pass are of all rows, unless there are too many.
    """
    picked = ", ".join(f"{quote_name(name)} AS c{n}" for n, (name, _) in enumerate(columns))
    query = f"SELECT {picked} FROM {table}"
    sample = _write_sample(query, sample_rows, rows if cheap_to_jump else None)
    is_profile = sample_rows >= _PROFILE_ROWS_MIN
    is_whole = is_profile and rows is not None and rows * len(columns) <= _WHOLE_CELLS_MAX
    counted = f"({query})" if is_whole else "_sample"
    connection.execute(f"CREATE OR REPLACE TEMP TABLE _sample AS {sample}")
    try:
        facts = connection.execute(
            f"SELECT {', '.join(_write_facts(n, kind) for n, (_, kind) in enumerate(columns))} "
            f"FROM {counted}"
        ).fetchone()
        assert facts is not None
        return [
            {
                **_make_profile(connection, n, facts[n * _STATISTICS : (n + 1) * _STATISTICS]),
                "name": name,
                "is_whole": is_whole,
            }
            for n, (name, _) in enumerate(columns)
        ]
    finally:
        connection.execute("DROP TABLE _sample")


def _write_sample(query: str, sample_rows: int, rows: int | None) -> str:
    """Write a repeatable sample: rows from blocks all over the table."""
    if rows is None or rows <= sample_rows:
        return f"{query} LIMIT {sample_rows}"
    percent = 100 * max(sample_rows, _BLOCKS_MIN * _BLOCK_ROWS) / rows
    blocks = f"TABLESAMPLE system({percent:.6f} PERCENT) REPEATABLE (1)" if percent < 100 else ""  # noqa: PLR2004
    return f"FROM ({query} {blocks}) USING SAMPLE reservoir({sample_rows} ROWS) REPEATABLE (1)"


def _write_facts(n: int, kind: str) -> str:
    column = f"c{n}"
    mean = f"avg({column})" if kind in _NUMBERS else "NULL"
    ordered = kind not in ("nested", "binary")
    bounds = [f"min({column})", f"max({column})"] if ordered else ["NULL", "NULL"]
    shown = ", ".join(f"left({end}::VARCHAR, {_VALUE_CHARS_MAX})" for end in bounds)
    return f"count(*), count({column}), approx_count_distinct({column}), {shown}, {mean}"


def _make_profile(
    connection: duckdb.DuckDBPyConnection, n: int, facts: tuple[Any, ...]
) -> dict[str, Any]:
    count, filled, distinct, minimum, maximum, average = facts
    frequent = connection.execute(
        f"SELECT left(c{n}::VARCHAR, {_VALUE_CHARS_MAX}) AS v, count(*) AS n FROM _sample "
        f"WHERE c{n} IS NOT NULL GROUP BY v ORDER BY n DESC, v LIMIT {max(_TOP, _SAMPLES)}"
    ).fetchall()
    return {
        "nulls_fraction": (count - filled) / count if count else None,
        "distinct": min(distinct, filled),
        "minimum": minimum,
        "maximum": maximum,
        "mean": None if average is None else float(average),
        "top": [[value, number] for value, number in frequent[:_TOP] if number > 1],
        "samples": [value for value, _ in frequent[:_SAMPLES]],
        "extra": {"sample_rows": count},
    }
