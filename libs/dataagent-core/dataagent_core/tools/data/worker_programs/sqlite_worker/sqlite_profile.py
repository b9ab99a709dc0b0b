"""Profiles a sample of a SQLite table: rows spread evenly by rowid, where there is one."""

import sqlite3
from collections import Counter
from typing import Any

from ..table_names import quote_name

_TOP = 5
_VALUE_CHARS_MAX = 200


def profile_sqlite_table(
    connection: sqlite3.Connection,
    table: str,
    columns: list[list[str]],
    sample_rows: int,
    rows: int | None,
) -> list[dict[str, Any]]:
    """Profile some columns."""
    picked = ", ".join(quote_name(name) for name, _ in columns)
    query = f"SELECT {picked} FROM {quote_name(table)}"
    step = rows // sample_rows if rows else 0
    try:
        found = connection.execute(
            f"{query} WHERE rowid % {step} = 0 LIMIT {sample_rows}"
            if step > 1
            else f"{query} LIMIT {sample_rows}"
        ).fetchall()
    except sqlite3.OperationalError:  # a view, or a table without row numbers
        found = connection.execute(f"{query} LIMIT {sample_rows}").fetchall()
    is_whole = len(found) < sample_rows and step <= 1
    return [
        _profile_column(name, [row[n] for row in found], is_whole=is_whole)
        for n, (name, _) in enumerate(columns)
    ]


def _profile_column(name: str, values: list[Any], *, is_whole: bool) -> dict[str, Any]:
    filled = [value for value in values if value is not None]
    numbers = [value for value in filled if isinstance(value, (int, float))]
    counted = Counter(map(_shorten, filled))
    comparable = numbers if len(numbers) == len(filled) else [_shorten(value) for value in filled]
    return {
        "name": name,
        "is_whole": is_whole,
        "nulls_fraction": (len(values) - len(filled)) / len(values) if values else None,
        "distinct": len(set(filled)),
        "minimum": _shorten(min(comparable)) if comparable else None,
        "maximum": _shorten(max(comparable)) if comparable else None,
        "mean": sum(numbers) / len(numbers) if numbers and comparable is numbers else None,
        "top": [[value, count] for value, count in counted.most_common(_TOP) if count > 1],
        "samples": [value for value, _ in counted.most_common(_TOP)],
        "extra": {"sample_rows": len(values)},
    }


def _shorten(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text[:_VALUE_CHARS_MAX]
