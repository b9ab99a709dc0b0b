"""A look at a sample of a table: how much is missing, how much differs, what is usual."""

from typing import Any

import duckdb

from ..table_names import quote_name

_TOP = 5
_SAMPLES = 5
_VALUE_CHARS_MAX = 200
_NUMBERS = ("integer", "decimal", "float")
# DuckDB takes or leaves this many rows at once.
_BLOCK_ROWS = 2_048
_BLOCKS_MIN = 20
# One pass over so many values takes about a second.
_WHOLE_CELLS_MAX = 50_000_000
# Fewer are asked for to show what values look like, not to count them.
_PROFILE_ROWS_MIN = 1_000
# What `_facts` gives of a column.
_FACTS = 6


def profile_duckdb_table(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: list[tuple[str, str]],
    sample_rows: int,
    rows: int | None,
    *,
    cheap_to_jump: bool,
) -> list[dict[str, Any]]:
    """Profile columns, each with its kind; a file read from its start gives its first rows.

    What can be counted in one pass is of all rows, unless these are very many.
    """
    picked = ", ".join(f"{quote_name(name)} AS c{n}" for n, (name, _) in enumerate(columns))
    query = f"SELECT {picked} FROM {table}"
    drawn = _drawn(query, sample_rows, rows if cheap_to_jump else None)
    is_profile = sample_rows >= _PROFILE_ROWS_MIN
    is_whole = is_profile and rows is not None and rows * len(columns) <= _WHOLE_CELLS_MAX
    counted = f"({query})" if is_whole else "_sample"
    connection.execute(f"CREATE OR REPLACE TEMP TABLE _sample AS {drawn}")
    try:
        facts = connection.execute(
            f"SELECT {', '.join(_facts(n, kind) for n, (_, kind) in enumerate(columns))} "
            f"FROM {counted}"
        ).fetchone()
        assert facts is not None
        return [
            {
                **_one(connection, n, facts[n * _FACTS : (n + 1) * _FACTS]),
                "name": name,
                "is_whole": is_whole,
            }
            for n, (name, _) in enumerate(columns)
        ]
    finally:
        connection.execute("DROP TABLE _sample")


def _drawn(query: str, sample_rows: int, rows: int | None) -> str:
    """Draw blocks from all over a table and rows from these; the same ones every time."""
    if rows is None or rows <= sample_rows:
        return f"{query} LIMIT {sample_rows}"
    percent = 100 * max(sample_rows, _BLOCKS_MIN * _BLOCK_ROWS) / rows
    blocks = f"TABLESAMPLE system({percent:.6f} PERCENT) REPEATABLE (1)" if percent < 100 else ""  # noqa: PLR2004
    return f"FROM ({query} {blocks}) USING SAMPLE reservoir({sample_rows} ROWS) REPEATABLE (1)"


def _facts(n: int, kind: str) -> str:
    column = f"c{n}"
    mean = f"avg({column})" if kind in _NUMBERS else "NULL"
    ordered = kind not in ("nested", "binary")
    ends = [f"min({column})", f"max({column})"] if ordered else ["NULL", "NULL"]
    shown = ", ".join(f"left({end}::VARCHAR, {_VALUE_CHARS_MAX})" for end in ends)
    return f"count(*), count({column}), approx_count_distinct({column}), {shown}, {mean}"


def _one(connection: duckdb.DuckDBPyConnection, n: int, facts: tuple[Any, ...]) -> dict[str, Any]:
    count, filled, distinct, minimum, maximum, average = facts
    usual = connection.execute(
        f"SELECT left(c{n}::VARCHAR, {_VALUE_CHARS_MAX}) AS v, count(*) AS n FROM _sample "
        f"WHERE c{n} IS NOT NULL GROUP BY v ORDER BY n DESC, v LIMIT {max(_TOP, _SAMPLES)}"
    ).fetchall()
    return {
        "nulls_fraction": (count - filled) / count if count else None,
        "distinct": min(distinct, filled),
        "minimum": minimum,
        "maximum": maximum,
        "mean": None if average is None else float(average),
        "top": [[value, number] for value, number in usual[:_TOP] if number > 1],
        "samples": [value for value, _ in usual[:_SAMPLES]],
        "extra": {"sample_rows": count},
    }
