"""From which steps of a plan the parts of an answer come. Pure."""

import re
from typing import Final

from dataagent_core.language.word_split import is_han
from dataagent_core.planning.work_plan import StepStatus, WorkPlan

# `[step 2]`, `[steps 1, 3]`, and the same in Chinese.
_REFERENCE = re.compile(
    r"[\[\u3010(\uff08](?:steps?|\u6b65\u9aa4)\s*(\d[\d,\s\u3001\uff0c-]*)", re.IGNORECASE
)
# Of a step's description in the line that names the sources.
_CHARS_MAX: Final = 80
_NUMBER = re.compile(r"\d{1,4}")


def find_named_steps(text: str) -> set[int]:
    """Return the numbers of the steps that a text names as its sources."""
    found = (number for match in _REFERENCE.finditer(text) for number in _NUMBER.findall(match[1]))
    return {int(number) for number in found}


def make_source_line(text: str, plan: WorkPlan) -> str:
    """Name the steps that an answer comes from; empty where it names them itself."""
    done = [step for step in plan.steps if step.status is StepStatus.COMPLETED]
    if not done or find_named_steps(text) & {step.step_number for step in done}:
        return ""
    named = [(step.step_number, _shorten(step.description)) for step in done]
    if any(map(is_han, text)):
        return "\u6765\u6e90\uff1a" + "\uff1b".join(
            f"[\u6b65\u9aa4 {number}] {description}" for number, description in named
        )
    return "Sources: " + "; ".join(
        f"[step {number}] {description}" for number, description in named
    )


def _shorten(description: str) -> str:
    """Give a step's text as a part of one line."""
    line = " ".join(description.split())
    return line if len(line) <= _CHARS_MAX else f"{line[: _CHARS_MAX - 1]}\u2026"
