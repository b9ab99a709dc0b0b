"""What the pictures in the documents show: what the person types, and what the scripted model says.

Only the model's words are made up. The tools, their results, the receipts under an answer, the
question and everything drawn are the program's own, on the sample warehouse that `dataagent data
sample` makes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from dataagent_core.models.scripted.demo_script import CATEGORY_SQL, RECALL

# Files of the workspace beside the warehouse.
FILES: Final = {
    "revenue.py": (
        '"""Revenue by category, as the weekly mail wants it."""\n'
        "\n"
        "def revenue(lines):\n"
        "    total = {}\n"
        "    for line in lines:\n"
        "        total[line.category] = total.get(line.category, 0) + line.quantity * line.price\n"
        "    return total\n"
    )
}


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: keys and messages, what answers, and how the screen looks when it is taken."""

    name: str
    title: str
    typed: str
    steps: Sequence[dict[str, Any]]
    # On the screen when everything is there.
    shown: str
    # Pressed before the message.
    keys: Sequence[str] = ()
    shown_after_keys: str = ""

    @property
    def scenario(self) -> dict[str, Any]:
        """Give what the model plays when this message comes."""
        return {"match": self.typed[:20], "recall": RECALL, "steps": list(self.steps)}


_ANSWER = """\
**Grocery** earned most in 2025, **Books** least [{{result:0}}]:

| category | revenue |
|---|--:|
| Grocery | 28,793,332.28 |
| Toys | 26,591,598.39 |
| Garden | 25,984,055.01 |
| Electronics | 25,584,641.37 |
| Home | 25,107,356.34 |
| Sports | 24,649,162.64 |
| Books | 21,500,918.97 |
"""

_PLAN = """\
1. revenue.py: remember the keys of lines that were counted, and skip them.
2. test_revenue.py (new): the same order line given twice counts once.
3. Run the tests, and compare a month with SQL over the warehouse.
"""


def _call(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


SCENES: Final = (
    Scene(
        name="question",
        title="A question over the sample data, with receipts",
        typed="Which category earned most, and which least?",
        steps=(
            {
                "text": "I look at the tables first.",
                "tool_calls": [_call("data_describe", source="shop", table="order_lines")],
            },
            {
                "text": "Revenue is quantity times price; the category is in products.",
                "tool_calls": [_call("sql_query", source="shop", sql=CATEGORY_SQL)],
            },
            {"text": _ANSWER},
        ),
        shown=r"^done [^\0]*^ask mode",
    ),
    Scene(
        name="approval",
        title="A change is shown before it is made",
        typed="Count every order once in revenue.py",
        steps=(
            {"text": "", "tool_calls": [_call("read_file", file_path="/revenue.py")]},
            {
                "text": "Some order numbers stand twice; I keep those that were counted.",
                "tool_calls": [
                    _call(
                        "edit_file",
                        file_path="/revenue.py",
                        old_string="    total = {}\n    for line in lines:\n",
                        new_string=(
                            "    total, counted = {}, set()\n"
                            "    for line in lines:\n"
                            "        if line.key in counted:\n"
                            "            continue\n"
                            "        counted.add(line.key)\n"
                        ),
                    )
                ],
            },
        ),
        shown=r"your choice: *$",
    ),
    Scene(
        name="plan",
        title="Plan mode: it reads, then proposes",
        typed="Plan how to count every order once, with a test",
        steps=(
            {
                "text": "I read before I propose.",
                "tool_calls": [
                    _call("read_file", file_path="/revenue.py"),
                    _call("data_describe", source="shop", table="orders"),
                ],
            },
            {"text": "", "tool_calls": [_call("propose_plan", plan=_PLAN)]},
        ),
        shown=r"your answer: *$",
        keys=("BTab",),
        shown_after_keys=r"^plan mode",
    ),
)
