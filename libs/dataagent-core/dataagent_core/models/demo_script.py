"""What happens in the guided demo: a question to the sample warehouse, answered with SQL.

A plan, a look at the tables, two queries, a chart, a report, and a note that is approved and then
edited. Only tools that every agent has. The warehouse is the same on every machine, so the
figures of the answer are known; a test compares them with SQL written by hand.
"""

from typing import Any

from dataagent_core.models.script import ScriptedToolCall, Step

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

NOTE = "# Shop, 2025\n\nGrocery leads. See the report.\n"
_LEADS = "Grocery leads."
_LEADS_IN_FULL = "Grocery leads with 28,793,332.28, Books come last with 21,500,918.97."

FINAL_ANSWER = """\
In 2025 **Grocery** earned most, **Books** least [{{result:0}}]:

| category | revenue |
|---|--:|
| Grocery | 28,793,332.28 |
| Toys | 26,591,598.39 |
| Garden | 25,984,055.01 |
| Electronics | 25,584,641.37 |
| Home | 25,107,356.34 |
| Sports | 24,649,162.64 |
| Books | 21,500,918.97 |

By month, revenue went from 9,577,062.15 in January to 17,546,532.51 in December [{{result:1}}]. \
The chart is below `/charts`, the report below `/reports`.

Some order numbers stand twice in `orders`; I counted each once. The shop is made up, the queries, \
the approval and the files are real: every figure above was traced to a result.
"""

_PLAN = ("Look at the tables", "Query revenue", "Chart, report and note")


def _call(name: str, /, **args: Any) -> ScriptedToolCall:
    return ScriptedToolCall(name=name, args=args)


def _plan(done: int) -> ScriptedToolCall:
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
        for number, content in enumerate(_PLAN)
    ]
    return _call("write_todos", todos=todos)


def _step(text: str, *calls: ScriptedToolCall, thought: str = "") -> Step:
    return Step(text=text, thought=thought, tool_calls=calls, chunk_delay_s=0.01)


_REPORT_BLOCKS: list[dict[str, Any]] = [
    {"type": "heading", "text": "By category", "level": 2},
    {"type": "chart", "query": "{{result:0}}", "intent": "bar of revenue by category"},
    {"type": "table", "query": "{{result:0}}"},
    {"type": "heading", "text": "By month", "level": 2},
    {"type": "chart", "query": "{{result:1}}", "intent": "line of revenue by month"},
    {
        "type": "text",
        "markdown": "Some order numbers stand twice in the table of orders; each counts once.",
    },
]

DEMO_STEPS: tuple[Step, ...] = (
    _step(
        "I will plan this first, and look at what there is.",
        _plan(0),
        _call("data_describe", source=SHOP, table="order_lines"),
        thought="Revenue is quantity times price; the category is in products.",
    ),
    _step(
        "Revenue by category.",
        _plan(1),
        _call("sql_query", source=SHOP, sql=CATEGORY_SQL),
    ),
    _step("Now month by month.", _call("sql_query", source=SHOP, sql=MONTH_SQL)),
    _step(
        "A chart of the year.",
        _plan(2),
        _call(
            "chart_create",
            result_id="{{result:1}}",
            intent="line of revenue by month",
            name="revenue-by-month",
        ),
    ),
    _step(
        "And the report.",
        _call(
            "report_create",
            title="Revenue of the shop in 2025",
            blocks=_REPORT_BLOCKS,
            formats=["html", "pdf"],
            name="revenue-2025",
        ),
    ),
    _step("A short note beside it.", _call("write_file", file_path="/note.md", content=NOTE)),
    _step(
        "The note deserves figures.",
        _call("edit_file", file_path="/note.md", old_string=_LEADS, new_string=_LEADS_IN_FULL),
    ),
    _step("", _plan(len(_PLAN))),
    _step(FINAL_ANSWER),
)
