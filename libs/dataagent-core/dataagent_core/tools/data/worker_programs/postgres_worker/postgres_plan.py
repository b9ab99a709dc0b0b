"""Estimates the cost of a query on PostgreSQL by its plan."""

import json
from typing import Any

from .postgres_connection import Connection

_PLAN_CHARS_MAX = 4_000
_DEPTH_MAX = 40


def estimate(connection: Connection, sql: str) -> dict[str, Any]:
    """Return the rows of the result, the cost in the planner's units, and an outline."""
    with connection.cursor() as cursor:
        # The extended protocol takes one statement, so nothing can come after the EXPLAIN.
        rows = list(cursor.stream(b"EXPLAIN (FORMAT JSON) " + sql.encode(), size=1))
    found = rows[0][0]
    plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    lines: list[str] = []
    _outline_node(plan, 0, lines)
    return {
        "rows": int(plan["Plan Rows"]),
        "cost": float(plan["Total Cost"]),
        "plan": "\n".join(lines)[:_PLAN_CHARS_MAX],
    }


def _outline_node(node: dict[str, Any], depth: int, lines: list[str]) -> None:
    if depth > _DEPTH_MAX:
        return
    on = f" on {node['Relation Name']}" if "Relation Name" in node else ""
    rows, cost = node.get("Plan Rows"), node.get("Total Cost")
    lines.append(f"{'  ' * depth}{node.get('Node Type')}{on} (rows {rows}, cost {cost})")
    for child in node.get("Plans", ()):
        _outline_node(child, depth + 1, lines)
