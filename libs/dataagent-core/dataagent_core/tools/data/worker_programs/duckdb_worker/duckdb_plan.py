"""Estimates the cost of a query by DuckDB's EXPLAIN."""

import json
import math
from typing import Any

import duckdb

_ROWS = "Estimated Cardinality"
_CROSS = "CROSS_PRODUCT"
_PLAN_CHARS_MAX = 20_000


def estimate_duckdb_query(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    """Return the rows of the last step, and as the cost the rows of all steps."""
    row = connection.execute(f"EXPLAIN (FORMAT json) {sql}").fetchone()
    if row is None:  # for a PIVOT with columns from the data
        return {"rows": None, "cost": None, "plan": ""}
    steps = json.loads(row[1])
    counted = [_count_rows(step) for step in steps]
    return {
        "rows": counted[0][0] if counted else None,
        "cost": float(sum(total for _, total in counted)) if counted else None,
        # Not requested again as text: constant expressions would be computed again.
        "plan": "\n".join(line for step in steps for line in _outline_step(step, 0))[
            :_PLAN_CHARS_MAX
        ],
    }


def _outline_step(step: dict[str, Any], depth: int) -> list[str]:
    details = step.get("extra_info", {})
    more = ", ".join(f"{key} {value}" for key, value in details.items() if isinstance(value, str))
    line = f"{'  ' * depth}{str(step.get('name', '')).strip()} {more}".rstrip()
    below = [line for child in step.get("children", []) for line in _outline_step(child, depth + 1)]
    return [line, *below]


def _count_rows(step: dict[str, Any]) -> tuple[int, int]:
    """Return the rows of a step, and the sum of its rows and those of all steps below."""
    below = [_count_rows(child) for child in step.get("children", [])]
    own = step.get("extra_info", {}).get(_ROWS)
    if own is not None:
        rows = int(str(own).lstrip("~"))
    elif step.get("name", "").strip() == _CROSS:  # it has no estimate of its own
        rows = math.prod(rows for rows, _ in below)
    else:
        rows = max((rows for rows, _ in below), default=0)
    return rows, rows + sum(total for _, total in below)
