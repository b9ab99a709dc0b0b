"""What happens in the guided demo: a question to the sample warehouse, answered with SQL.

A plan, a look at the tables, two queries, a chart, a report, and a note that is approved and then
edited. Only tools that every agent has. The warehouse is the same on every machine, so the
figures of the answer are known; a test compares them with SQL written by hand.
"""

from typing import Any

from dataagent_core.models.scripted.demo_words import DemoWords
from dataagent_core.models.scripted.script import ScriptedToolCall, Step

SHOP = "shop"
# Where the ids of results come from: what the tools answered.
RECALL = {"result": r"\br_[0-9a-f]{12}\b"}

CATEGORY_SQL = """\
SELECT p.category, SUM(l.quantity * l.unit_price) AS revenue
FROM order_lines AS l JOIN products AS p USING (product_id)
GROUP BY p.category ORDER BY revenue DESC"""
# Some order numbers stand twice in the table; each counts once.
MONTH_SQL = """\
SELECT CAST(DATE_TRUNC('month', o.ordered_at) AS DATE) AS month,
       SUM(l.quantity * l.unit_price) AS revenue
FROM order_lines AS l
JOIN (SELECT order_id, MIN(ordered_at) AS ordered_at FROM orders GROUP BY order_id) AS o
  USING (order_id)
GROUP BY 1 ORDER BY 1"""


def _call(name: str, /, **args: Any) -> ScriptedToolCall:
    return ScriptedToolCall(name=name, args=args)


def _plan(words: DemoWords, done: int) -> ScriptedToolCall:
    """Write the plan with this many steps done and the next one in progress."""
    todos = [
        {
            "content": content,
            "status": "completed"
            if number < done
            else "in_progress"
            if number == done
            else "pending",
        }
        for number, content in enumerate(words.plan)
    ]
    return _call("write_todos", todos=todos)


def _step(text: str, *calls: ScriptedToolCall, thought: str = "") -> Step:
    return Step(text=text, thought=thought, tool_calls=calls, chunk_delay_s=0.01)


def _report_blocks(words: DemoWords) -> list[dict[str, Any]]:
    return [
        {"type": "heading", "text": words.heading_category, "level": 2},
        {"type": "chart", "query": "{{result:0}}", "intent": "bar of revenue by category"},
        {"type": "table", "query": "{{result:0}}"},
        {"type": "heading", "text": words.heading_month, "level": 2},
        {"type": "chart", "query": "{{result:1}}", "intent": "line of revenue by month"},
        {"type": "text", "markdown": words.counted_once},
    ]


def demo_steps(words: DemoWords) -> tuple[Step, ...]:
    """Play the demo in these words."""
    chart = _call(
        "chart_create",
        result_id="{{result:1}}",
        intent="line of revenue by month",
        name="revenue-by-month",
    )
    report = _call(
        "report_create",
        title=words.report_title,
        blocks=_report_blocks(words),
        formats=["html", "pdf"],
        name="revenue-2025",
    )
    note = _call("write_file", file_path="/note.md", content=words.note_file)
    edit = _call(
        "edit_file",
        file_path="/note.md",
        old_string=words.leads,
        new_string=words.leads_in_full,
    )
    look = _call("data_describe", source=SHOP, table="order_lines")
    by_category = _call("sql_query", source=SHOP, sql=CATEGORY_SQL)
    by_month = _call("sql_query", source=SHOP, sql=MONTH_SQL)
    return (
        _step(words.begins, _plan(words, 0), look, thought=words.thought),
        _step(words.by_category, _plan(words, 1), by_category),
        _step(words.by_month, by_month),
        _step(words.chart, _plan(words, 2), chart),
        _step(words.report, report),
        _step(words.note, note),
        _step(words.note_edit, edit),
        _step("", _plan(words, len(words.plan))),
        _step(words.answer),
    )
