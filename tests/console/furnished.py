"""An installation that somebody has worked in: no page of it is empty."""

import sys
from typing import Any

from tests.console.installation import OWNER, Installation
from tests.console.script import QUESTION

CITIES = b"city,people\nShanghai,24870895\nBerlin,3677472\nLagos,15388000\n"
_QUESTION = {
    "name": "Orders by channel",
    "source": "shop",
    "sql": "SELECT channel, count(*) AS orders FROM orders GROUP BY 1",
}
_RULE = {"action": "deny", "tool": "shell", "resource": "git push *"}
REPORT = """\
title: Channels
queries:
  orders:
    source: shop
    sql: SELECT channel, count(*) AS orders FROM orders GROUP BY 1
blocks:
  - {type: heading, text: Orders by channel, level: 2}
  - {type: table, query: orders}
"""


METRICS = """\
datasets:
  - {name: lines, source: shop, table: order_lines}
  - {name: products, source: shop, dimensions: [{name: category}]}
relations:
  - {from: lines, to: products, on: {product_id: product_id}}
metrics:
  - {name: revenue, dataset: lines, expr: sum(quantity * unit_price)}
"""


def furnish(installation: Installation) -> None:
    """Ask, write, add, set: one of each thing the pages list."""
    installation.ask("POST", "/chat", {"message": QUESTION})
    installation.ask("POST", "/chat", {"message": "Write a note"})  # its question stays open
    installation.ask("POST", "/projects", {"name": "Autumn", "description": "What sold in autumn"})
    installation.ask("POST", "/members", {"username": "mei", "role": "member"})
    installation.ask("POST", "/keys", {"name": "build server"})
    installation.ask("POST", "/agents", {"name": "Analyst", "description": "Knows the shop"})
    installation.ask("PUT", "/budgets", _budget())
    report = installation.ask("POST", "/reports", {"definition": REPORT})
    installation.ask("POST", f"/reports/{report['report_id']}/run", {})
    installation.ask("POST", f"/reports/{report['report_id']}/schedules", {"cron": "0 7 * * 1"})
    installation.put_file("/uploads/cities.csv", CITIES)
    installation.ask("POST", "/data/questions", _QUESTION)
    installation.ask("PUT", "/data/model", {"text": METRICS, "version": 0})
    installation.ask("POST", "/permissions/rules", _RULE)
    installation.ask("PUT", "/models", {"model": "openai:larger", "context_length": 128_000})
    installation.ask("PATCH", "/mcp/policy", {"commands": [sys.executable]})
    installation.ask("POST", "/mcp/servers", _clock())


def _clock() -> dict[str, Any]:
    return {"name": "clock", "command": sys.executable, "args": ["-V"], "disabled": True}


def _budget() -> dict[str, Any]:
    return {"scope": "user", "scope_id": OWNER, "period": "month", "cost_max": 100}
