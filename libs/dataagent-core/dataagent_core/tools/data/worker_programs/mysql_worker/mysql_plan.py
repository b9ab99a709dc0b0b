"""Estimates the cost of a query on MySQL or MariaDB by its plan."""

from typing import Any

from .mysql_connection import Connection

_PLAN_CHARS_MAX = 4_000
_ROWS_MAX = 10**18


def estimate(connection: Connection, sql: str) -> dict[str, Any]:
    """Return the plan with its rows and cost.

    The rows are those examined: joined tables multiply, and the largest SELECT counts, since
    neither server estimates the rows of the result.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        names = [str(each[0]).lower() for each in cursor.description or ()]
        steps = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        cursor.execute("SHOW SESSION STATUS LIKE 'Last_query_cost'")
        status = cursor.fetchone()
    cost = float(status[1]) if status else 0.0
    lines = [
        f"{step.get('select_type')} {step.get('table') or '-'} by {step.get('type') or '-'}, key "
        f"{step.get('key') or 'none'} (rows {step.get('rows') or '-'}) {step.get('extra') or ''}"
        for step in steps
    ]
    return {
        "rows": _count_rows(steps),
        "cost": cost or None,
        "plan": "\n".join(line.rstrip() for line in lines)[:_PLAN_CHARS_MAX],
    }


def _count_rows(steps: list[dict[str, Any]]) -> int | None:
    examined: dict[Any, int] = {}
    for step in steps:
        if step.get("rows") is not None:
            before = examined.get(step.get("id"), 1)
            examined[step.get("id")] = min(_ROWS_MAX, before * max(1, int(step["rows"])))
    return max(examined.values(), default=None)
