"""Fills a server, so that no page is empty."""

import sys
from typing import Any

from tests.console.console_server import OWNER, ConsoleServer
from tests.console.script import QUESTION

CITIES = b"city,people\nShanghai,24870895\nBerlin,3677472\nLagos,15388000\n"
_QUESTION = {
    "name": "Orders by channel",
    "source": "shop",
    "sql": "SELECT channel, count(*) AS orders FROM orders GROUP BY 1",
}
_RULE = {"action": "deny", "tool": "shell", "resource": "git push *"}
_COMPOSITION = {
    "name": "find_or_list",
    "description": "Searches the workspace, and lists it when nothing is found",
    "tools": ["grep", "ls"],
    "execution_template": {
        "kind": "conditional",
        "inputs": {"word": {"type": "string"}},
        "steps": [
            {"args": {"pattern": "{{input.word}}"}, "next": [{"on": "failure", "step": 2}]},
            {"args": {"path": "/"}},
        ],
    },
    "fallback_alternatives": {"grep": ["glob"]},
}
# As long as names may be, without a place to break.
LONG_NAME = "a" * 50
_SUBAGENT = {
    "name": LONG_NAME,
    "display_name": "A specialist with a name as long as it may be",
    "trigger": {"description": "Nothing in particular"},
    "system_prompt": "Be brief.",
}
_PATTERN = {
    "name": "n" * 200,
    "goal": "Sum up what every region sold last week",
    "description": "As long as a name may be, without a place to break",
    "steps": [
        {
            "description": "Sum up by region",
            "expected_output": "A table",
            "tools": ["sql_query", "chart_create"],
            "decision_points": ["Returns do not count"],
            "corrections": ["Name the week"],
        }
    ],
    "tool_compositions": [[{"tool": "sql_query", "args": {"sql": "text"}}, {"tool": "ls"}]],
}
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


def add_sample_content(console_server: ConsoleServer) -> None:
    """Add one of each thing the pages list."""
    console_server.ask("POST", "/chat", {"message": QUESTION})
    console_server.ask("POST", "/chat", {"message": "Write a note"})  # its question stays open
    console_server.ask(
        "POST", "/projects", {"name": "Autumn", "description": "What sold in autumn"}
    )
    console_server.ask("POST", "/members", {"username": "mei", "role": "member"})
    console_server.ask("POST", "/keys", {"name": "build server"})
    console_server.ask("POST", "/agents", {"name": "Analyst", "description": "Knows the shop"})
    console_server.ask("PUT", "/budgets", _budget())
    report = console_server.ask("POST", "/reports", {"definition": REPORT})
    console_server.ask("POST", f"/reports/{report['report_id']}/run", {})
    console_server.ask("POST", f"/reports/{report['report_id']}/schedules", {"cron": "0 7 * * 1"})
    console_server.put_file("/uploads/cities.csv", CITIES)
    console_server.ask("POST", "/data/questions", _QUESTION)
    console_server.ask("PUT", "/data/model", {"text": METRICS, "version": 0})
    console_server.ask("POST", "/permissions/rules", _RULE)
    console_server.ask("PUT", "/models", {"model": "openai:larger", "context_length": 128_000})
    console_server.ask("PATCH", "/mcp/policy", {"commands": [sys.executable]})
    console_server.ask("POST", "/mcp/servers", _clock())
    console_server.ask("POST", "/tool-compositions", _COMPOSITION)
    console_server.ask("POST", "/subagents", _SUBAGENT)
    pattern = console_server.ask("POST", "/agent/patterns", _PATTERN)
    console_server.ask("POST", f"/agent/patterns/{pattern['id']}/share", {"tenant_id": "another"})


def _clock() -> dict[str, Any]:
    return {"name": "clock", "command": sys.executable, "args": ["-V"], "disabled": True}


def _budget() -> dict[str, Any]:
    return {"scope": "user", "scope_id": OWNER, "period": "month", "cost_max": 100}
