"""The model's script for the console tests, by user message."""

import json
from typing import Any

from dataagent_core.models.scripted.demo_script import CATEGORY_SQL, RECALL
from tests.console.plan_script import YARDS_SCRIPTS

# Each word once, so that a gap or a repeat shows; some seconds long.
WORDS = " ".join(f"w{number}" for number in range(240))
NOTE = "noted by the agent\n"
LONG_NOTE = "".join(f"line {number} of a long note\n" for number in range(80))
EDITED_NOTE = "noted by a person\n"
QUESTION = "Which category earned most, and which least?"
REPORT_TITLE = "Revenue by category"
LISTED = 250  # more than a page of the grid
LISTED_SQL = f"SELECT DISTINCT order_id FROM orders ORDER BY order_id LIMIT {LISTED}"
PROPOSED = "1. Read `orders`\n2. Write **the summary**"
SKILL_NAME = "lantern-sale"
SUBAGENT_NAME = "lantern-counter"
COMPOSITION_NAME = "count_both"
NOWHERE = "http://127.0.0.1:9/nothing"


def _call(name: str, /, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def _says(match: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"match": match, "recall": RECALL, "steps": list(steps)}


_ANSWER = """\
**Grocery** earned most, **Books** least [{{result:0}}]:

| category | revenue |
|---|--:|
| Grocery | 28,793,332.28 |
| Books | 21,500,918.97 |
"""

_OPTIONS = [
    {"label": "By month", "description": "Twelve rows", "is_recommended": True},
    {"label": "By day", "description": "365 rows"},
]

# A message that is worked on by a plan, whose first step asks before it writes.
HALLS = "Compare the halls"
NORTH, SOUTH, JOIN, LETTER = "North hall", "South hall", "Join what was seen", "Write a letter"
DOORS = "Count the doors"
HALLS_ANSWER = "The north hall is larger [step 3]."


def _step(number: int, description: str, *needs: int) -> dict[str, Any]:
    return {"step_number": number, "description": description, "dependencies": needs}


_HALLS_PLAN = json.dumps(
    {
        "confidence": 0.95,
        "steps": [
            _step(1, NORTH),
            _step(2, SOUTH),
            _step(3, JOIN, 1, 2),
            _step(4, LETTER, 3),
        ],
    }
)

SCRIPT: dict[str, Any] = {
    "scripts": [
        *YARDS_SCRIPTS,
        _says(rf'^{{"message": "{HALLS}', {"text": _HALLS_PLAN}),
        # The plan takes turns of its own between those of the model.
        _says(f"^{HALLS}", *[{"text": HALLS_ANSWER}] * 8),
        _says(
            f"^{NORTH}",
            {
                "text": "",
                "tool_calls": [_call("write_file", file_path="/north.txt", content=NOTE)],
            },
            {"text": "The north hall has **12 rows**."},
        ),
        _says(f"^{SOUTH}", {"text": "The south hall has 8 rows."}),
        _says(f"^{DOORS}", {"text": "There are 4 doors."}),
        # For runs that are stopped before they end.
        _says("(?i)tell slowly", {"text": WORDS, "chunk_delay_s": 0.5}),
        _says("(?i)tell", {"text": WORDS, "chunk_delay_s": 0.1}),
        _says(
            "(?i)write a long note",
            {
                "text": "I write it.",
                "tool_calls": [_call("write_file", file_path="/long.txt", content=LONG_NOTE)],
            },
            {"text": "It is done."},
        ),
        _says(
            "(?i)write",
            {
                "text": "I write it.",
                "tool_calls": [_call("write_file", file_path="/note.txt", content=NOTE)],
            },
            {"text": "It is done."},
        ),
        _says(
            "(?i)clarify",
            {
                "text": "I ask first.",
                "tool_calls": [
                    _call(
                        "ask_clarification",
                        question_type="scope",
                        question="How fine should it be?",
                        options=_OPTIONS,
                        required=True,
                    )
                ],
            },
            {"text": "As you wish."},
        ),
        _says(
            "(?i)decide",
            {
                "text": "You decide.",
                "tool_calls": [
                    _call(
                        "ask_decision",
                        decision_type="method",
                        context="Which way shall I go?",
                        options=[
                            {"label": "The quick way", "description": "Less exact"},
                            {"label": "The exact way", "is_recommended": True},
                        ],
                        required=True,
                    )
                ],
            },
            {"text": "I go that way."},
        ),
        _says(
            QUESTION[:20],
            {
                "text": "I look at the tables first.",
                "thought": "Revenue is quantity times price.",
                "tool_calls": [_call("data_describe", source="shop", table="order_lines")],
            },
            {
                "text": "The category is in products.",
                "tool_calls": [_call("sql_query", source="shop", sql=CATEGORY_SQL)],
            },
            {
                "text": "A chart of it.",
                "tool_calls": [
                    _call(
                        "chart_create",
                        result_id="{{result:0}}",
                        intent="bar of revenue by category",
                        name="revenue-by-category",
                    )
                ],
            },
            {"text": _ANSWER},
        ),
        _says(
            "(?i)report",
            {"text": "", "tool_calls": [_call("sql_query", source="shop", sql=CATEGORY_SQL)]},
            {
                "text": "",
                "tool_calls": [
                    _call(
                        "report_create",
                        title=REPORT_TITLE,
                        blocks=[
                            {"type": "heading", "text": "By category", "level": 2},
                            {"type": "table", "query": "{{result:0}}"},
                        ],
                        formats=["html"],
                    )
                ],
            },
            {"text": "The report is written."},
        ),
        _says(
            "(?i)what time",
            {
                "text": "I ask the clock.",
                "tool_calls": [
                    _call("mcp__local_clock__get_current_time", timezone="Asia/Shanghai")
                ],
            },
            {"text": "That is the time in Shanghai."},
        ),
        _says(
            "(?i)uploaded",
            {
                "text": "I read the file.",
                "tool_calls": [
                    _call(
                        "sql_query",
                        source="/uploads/cities.csv",
                        sql="SELECT city, people FROM cities ORDER BY people DESC",
                    )
                ],
            },
            {"text": "The largest is **Shanghai** [{{result:0}}]."},
        ),
        _says(
            "(?i)plan",
            {
                "text": "First a plan.",
                "tool_calls": [
                    _call(
                        "write_todos",
                        todos=[
                            {"content": "Look at the tables", "status": "in_progress"},
                            {"content": "Answer", "status": "pending"},
                        ],
                    )
                ],
            },
            # The plan is shown while a run follows it.
            {"text": WORDS, "chunk_delay_s": 0.5},
        ),
        _says(
            "(?i)propose",
            {"text": "", "tool_calls": [_call("propose_plan", plan=PROPOSED)]},
            {"text": "It is carried out."},
        ),
        _says(
            "(?i)count both",
            {"text": "", "tool_calls": [_call(COMPOSITION_NAME)]},
            {"text": "Both are counted."},
        ),
        _says(
            "(?i)list them",
            {"text": "", "tool_calls": [_call("sql_query", source="shop", sql=LISTED_SQL)]},
            {"text": "There they are."},
        ),
        _says(
            "(?i)use everything",
            {
                "text": "",
                "tool_calls": [
                    _call("write_file", file_path="/made.txt", content="made by the agent\n"),
                    _call("shell", command="echo said by the shell"),
                    _call("fetch_url", url=NOWHERE),
                    _call("glob", pattern="*.csv"),
                    _call("task", description="Greet", subagent_type="general-purpose"),
                ],
            },
            {"text": "All of it was used."},
        ),
        _says(
            "(?i)sell a lantern",
            {"text": "", "tool_calls": [_call("skill", name=SKILL_NAME)]},
            {"text": "Good evening."},
        ),
        _says(
            "(?i)count the lanterns",
            {
                "text": "",
                "tool_calls": [_call("task", description="Hello", subagent_type=SUBAGENT_NAME)],
            },
            {"text": "They are counted."},
        ),
        _says(
            "(?i)ask both counters",
            {
                "text": "",
                "tool_calls": [
                    _call("task", description="Hello, left", subagent_type=SUBAGENT_NAME),
                    _call("task", description="Hello, right", subagent_type=SUBAGENT_NAME),
                ],
            },
            {"text": "Both have counted."},
        ),
        # What the counters do themselves.
        _says(
            "Hello, (left|right)",
            {
                "text": "",
                "tool_calls": [_call("data_describe", source="shop", table="products")],
            },
            {"text": "Hello."},
        ),
        _says(
            "(?i)if you like",
            {
                "text": "",
                "tool_calls": [
                    _call(
                        "ask_clarification",
                        question_type="scope",
                        question="Shall I round?",
                        options=_OPTIONS,
                        required=False,
                    )
                ],
            },
            {"text": "As you wish."},
        ),
        _says("", {"text": "Hello."}),
    ]
}
