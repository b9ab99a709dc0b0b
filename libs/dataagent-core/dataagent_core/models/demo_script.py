"""What happens in the guided demo: a plan, a table, a report that is approved and then edited.

Only tools that every agent has: write_todos, ls, read_file, write_file, edit_file. The figures in
the report are sums of the table, as a careful reader may check.
"""

from typing import Any

from dataagent_core.models.script import ScriptedToolCall, Step

SALES_CSV = """\
month,region,orders,revenue
2026-07,North,120,18400
2026-07,South,95,12100
2026-08,North,131,20150
2026-08,South,102,13350
2026-09,North,127,19600
2026-09,South,118,16400
"""

REPORT_MD = """\
# Sales, third quarter 2026

Source: `/sales.csv`, 6 rows. Revenue in USD.

| region | orders | revenue |
|---|--:|--:|
| North | 378 | 58,150 |
| South | 315 | 41,850 |
| **Total** | **693** | **100,000** |

South grew from 12,100 in July to 16,400 in September.
"""

_GROWTH = "South grew from 12,100 in July to 16,400 in September."
_GROWTH_IN_FULL = (
    "South grew by 36 %, from 12,100 in July to 16,400 in September; "
    "North by 7 %, from 18,400 to 19,600."
)

FINAL_ANSWER = """\
The table is in `/sales.csv` and the report in `/report.md`.

| region | orders | revenue (USD) | growth Jul to Sep |
|---|--:|--:|--:|
| North | 378 | 58,150 | 7 % |
| South | 315 | 41,850 | 36 % |
| **Total** | **693** | **100,000** | **18 %** |

The figures are invented for this demo. Every step you saw, the approval and the change to the \
report included, went through the real tools.
"""

_PLAN = ("Look at the workspace", "Write the table of sales", "Write and check the report")


def _call(name: str, **args: Any) -> ScriptedToolCall:
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


DEMO_STEPS: tuple[Step, ...] = (
    _step("I will plan this first.", _plan(0), thought="Three steps: look, write, check."),
    _step("Let me see what is here.", _call("ls", path="/")),
    _step(
        "First the table.",
        _plan(1),
        _call("write_file", file_path="/sales.csv", content=SALES_CSV),
    ),
    _step("I read it back before using it.", _call("read_file", file_path="/sales.csv")),
    _step(
        "Now the report.",
        _plan(2),
        _call("write_file", file_path="/report.md", content=REPORT_MD),
    ),
    _step(
        "The growth deserves figures for both regions.",
        _call(
            "edit_file",
            file_path="/report.md",
            old_string=_GROWTH,
            new_string=_GROWTH_IN_FULL,
        ),
    ),
    _step("", _plan(len(_PLAN))),
    _step(FINAL_ANSWER),
)
