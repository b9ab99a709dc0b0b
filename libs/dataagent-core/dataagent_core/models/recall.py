"""What a step takes from the answers of tools: an id that nobody knew when the script was written.

`{{name}}` is the last thing that fits the name's expression, `{{name:0}}` the first, `{{name:1}}`
the second. What nothing fits stays as it is written, so that a test sees it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dataagent_core.models.script import Step

_PLACE = re.compile(r"\{\{(\w+)(?::(\d+))?\}\}")


def recalled(step: Step, patterns: Mapping[str, str], told: Sequence[str]) -> Step:
    """Fill the places of a step."""
    if not patterns:
        return step
    found = {name: _all(pattern, told) for name, pattern in patterns.items()}

    def filled(value: Any) -> Any:
        match value:
            case str():
                return _PLACE.sub(lambda place: _at(found, place), value)
            case dict():
                return {key: filled(inner) for key, inner in value.items()}
            case list():
                return [filled(inner) for inner in value]
            case _:
                return value

    calls = tuple(call.model_copy(update={"args": filled(call.args)}) for call in step.tool_calls)
    return step.model_copy(update={"text": filled(step.text), "tool_calls": calls})


def _all(pattern: str, told: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(one.group() for text in told for one in re.finditer(pattern, text)))


def _at(found: Mapping[str, Sequence[str]], place: re.Match[str]) -> str:
    listed = found.get(place[1], ())
    number = int(place[2]) if place[2] else len(listed) - 1
    return listed[number] if 0 <= number < len(listed) else place.group()
