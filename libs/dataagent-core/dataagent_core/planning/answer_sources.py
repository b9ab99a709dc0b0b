"""From which steps of a plan the parts of an answer come. Pure."""

import re

from dataagent_core.language.word_split import is_han
from dataagent_core.planning.work_plan import StepStatus, WorkPlan

# `[step 2]`, `[steps 1, 3]`, and the same in Chinese.
_REFERENCE = re.compile(
    r"[\[\u3010(\uff08](?:steps?|\u6b65\u9aa4)\s*(\d[\d,\s\u3001\uff0c-]*)", re.IGNORECASE
)
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
    if any(map(is_han, text)):
        return "\u6765\u6e90\uff1a" + "\uff1b".join(
            f"[\u6b65\u9aa4 {step.step_number}] {step.description}" for step in done
        )
    return "Sources: " + "; ".join(f"[step {step.step_number}] {step.description}" for step in done)
