"""A task that is done again and again, and the model that does it each time in the same way."""

from typing import Any

TASK = "Write the sales note of {month} into a file"
# As the pattern has it: what differs from run to run is a place.
TASK_NAME = "Write the sales note of {date} into a file"
DONE = "The note of {month} is written."
MONTHS = ("2026-01", "2026-02", "2026-03", "2026-04")


def _work(month: str) -> dict[str, Any]:
    path = f"/{month}.md"
    calls = [
        {"name": "write_file", "args": {"file_path": path, "content": f"Sales of {month}\n"}},
        {"name": "read_file", "args": {"file_path": path}},
    ]
    steps = [{"text": "", "tool_calls": [call]} for call in calls]
    return {
        "match": TASK.format(month=month),
        "steps": [*steps, {"text": DONE.format(month=month)}],
    }


# As it is offered: the question and the steps of the pattern take turns of their own.
_OFFERED = MONTHS[3]
_as_offered = _work(_OFFERED)
_as_offered["steps"] = [
    {"text": "As before."},
    *_as_offered["steps"],
    *[{"text": DONE.format(month=_OFFERED)}] * 3,
]

PATTERN_SCRIPT: dict[str, Any] = {"scripts": [*map(_work, MONTHS[:3]), _as_offered]}
