"""A complex message becomes a plan in a real terminal: a person changes it, and it is carried out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

OpenTerminal = Callable[..., Any]


def plan_of(*steps: tuple[int, str, list[int]]) -> list[dict[str, Any]]:
    """Script a planner that answers with these steps."""
    listed = [
        {"step_number": number, "description": description, "dependencies": needs}
        for number, description, needs in steps
    ]
    return [{"text": json.dumps({"confidence": 0.95, "steps": listed})}]


# By how the message to the model begins; the empty turns are those that the plan itself takes.
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    r'^\{"message"[\s\S]*"first_number": 5\b': plan_of(
        (5, "estimate the south", []), (6, "join both", [1, 5])
    ),
    r'^\{"message"': plan_of(
        (1, "north: sum the orders", []),
        (2, "south: sum the orders", []),
        (3, "join both sums", [1, 2]),
        (4, "draw a chart", [1]),
    ),
    "^north": [{"text": "north is 3 " + "of it " * 100, "chunk_chars": 5, "chunk_delay_s": 0.05}],
    "^south": [{"text": "", "failures": [{"status": 400}] * 9}],
    "orders": [{}, {}, {"text": "about 4"}, {"text": "7"}, {"text": "Together it is 7 [step 6]."}],
}


@pytest.mark.requirement("F21-walk-plan")
@pytest.mark.requirement("S2-6.4.1")
def test_a_plan_is_accepted_changed_while_it_is_carried_out_and_named_in_the_answer(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    environment["DATAAGENT_PLANNING"] = "always"
    with scripts(**SCRIPTS), open_terminal(columns=100, rows=50) as terminal:
        terminal.until("openai:scripted")
        terminal.enter("orders of all regions")
        terminal.until(r"4 \[ \] draw a chart")
        terminal.until(r"Carry out this plan\?[\s\S]*your choice|Go ahead")
        terminal.enter("1")
        terminal.until(r"1 \[>\] north: sum the orders · ")
        terminal.enter("/plan skip 4")
        terminal.until(r"the plan was changed\n +4 \[-\] draw a chart")
        terminal.until(r"✓ general-purpose: north: sum the orders · \d")
        terminal.until(r"replanned: step 2 failed")
        terminal.until(r"Together it is 7 \[step 6\]\.[\s\S]*done ·")
        terminal.enter("/plan")
        terminal.until(
            r"/plan\n+plan 3/5\n +1 \[x\] north: sum the orders · [\s\S]* 6 \[x\] join both"
        )
