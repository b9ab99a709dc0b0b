"""Which step of a conditional composition comes next."""

from collections.abc import Callable
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.filling import Values, filled
from dataagent_core.tools.composition.template import Condition, ConditionalStep, Operator

_HOLDS: dict[Operator, Callable[[Any, Any], bool]] = {
    "equals": lambda value, to: value == to,
    "not_equals": lambda value, to: value != to,
    "contains": lambda value, to: to in value,
    "greater": lambda value, to: value > to,
    "less": lambda value, to: value < to,
    "exists": lambda _value, to: to is not False,
}


def next_step(step: ConditionalStep, values: Values, *, succeeded: bool) -> int | None:
    """Return the number of the step that the first fitting branch leads to."""
    ended = "success" if succeeded else "failure"
    for branch in step.next:
        if branch.on == ended and (branch.when is None or holds(branch.when, values)):
            return branch.step
    return None


def holds(condition: Condition, values: Values) -> bool:
    """Judge a condition; a part that is not there exists not, and compares with nothing."""
    try:
        value = filled(condition.value, values)
    except ValidationError:
        return condition.op == "exists" and condition.to is False
    try:
        return bool(_HOLDS[condition.op](value, condition.to))
    except TypeError:
        return False  # a text is neither greater nor less than a number
