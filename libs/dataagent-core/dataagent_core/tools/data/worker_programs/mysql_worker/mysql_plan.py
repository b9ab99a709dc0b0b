"""What MySQL or MariaDB thinks a query costs, without running it."""

from typing import Any

from .mysql_connection import Connection

_PLAN_CHARS_MAX = 4_000
_ROWS_MAX = 10**18


def estimate(connection: Connection, sql: str) -> dict[str, Any]:
    """Ask for the plan.

    The rows are those looked at: joined tables multiply, and the largest SELECT counts, since
    neither server says how many rows a result will have.
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
        "rows": _rows(steps),
        "cost": cost or None,
        "plan": "\n".join(line.rstrip() for line in lines)[:_PLAN_CHARS_MAX],
    }


def _rows(steps: list[dict[str, Any]]) -> int | None:
    looked_at: dict[Any, int] = {}
    for step in steps:
        if step.get("rows") is not None:
            before = looked_at.get(step.get("id"), 1)
            looked_at[step.get("id")] = min(_ROWS_MAX, before * max(1, int(step["rows"])))
    return max(looked_at.values(), default=None)
