"""The model's script of runs that work by a plan, for the kill tests.

Each message gets another plan or staged run, and is slow at another place. A step appends its name
to a file of its own: how often it stands there is how often the step was really done.
"""

import json
from typing import Any

# Long enough to be killed in, short enough to be waited for once more.
SLOW_S = 12.0
ACCEPTED = json.dumps({"accepted": True})


def _append(name: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": "shell", "args": {"command": f"echo done >> done-{name}.txt"}}]}


def _plan(word: str, **pace: float) -> dict[str, Any]:
    """Plan two steps side by side, and one behind them."""
    steps = [
        {"step_number": 1, "description": f"{word} north"},
        {"step_number": 2, "description": f"{word} south"},
        {"step_number": 3, "description": f"{word} own", "dependencies": [1, 2]},
    ]
    answer = {"text": json.dumps({"confidence": 0.9, "steps": steps}), "chunk_chars": 4_000}
    return {"match": rf'^\{{"message": "{word} ', "steps": [answer | pace]}


def _steps(word: str, turns: int, **pace: float) -> list[dict[str, Any]]:
    """Work on them; `turns` are those that the plan takes before the agent's own."""
    return [
        {"match": f"^{word} north", "steps": [_append(f"{word}-north"), {"text": "n"} | pace]},
        {"match": f"^{word} south", "steps": [_append(f"{word}-south"), {"text": "s"}]},
        {
            "match": f"^{word} work",
            "steps": [
                *([{}] * turns),
                _append(f"{word}-own"),
                {"text": "Own."},
                {"text": f"All of {word} [step 1]."},
            ],
        },
    ]


def _stages(word: str, **pace: float) -> list[dict[str, Any]]:
    return [
        {"match": rf'^\{{"goal": "{word} work"\}}', "steps": [{"text": "Three steps."}]},
        {"match": rf'^\{{"goal": "{word} work", "steps"', "steps": [{"text": ACCEPTED} | pace]},
    ]


def write_plan_script() -> dict[str, Any]:
    """Write the model's part in all runs."""
    slow = {"delay_s": SLOW_S}
    return {
        "scripts": [
            _plan("planning", **slow),
            *_steps("planning", 1),
            _plan("wave"),
            *_steps("wave", 1, **slow),
            _plan("asked"),
            *_steps("asked", 2),
            _plan("review"),
            *_steps("review", 1),
            *_stages("review", **slow),
            {"steps": [{"text": "Hello."}]},
        ]
    }
