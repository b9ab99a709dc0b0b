"""References in a template: what they look like and where they stand.

    {{input.city}}          an argument of the composition
    {{previous.items.0.id}} what the step before returned, or a part of it
    {{step.1.title}}        the same of an earlier step

Results that are a JSON object or array have parts; all others are text. `filling.py` puts the
values in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from dataagent_core.errors import ValidationError

REFERENCE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """One `{{...}}`: where to look, and the path from there."""

    source: Literal["input", "previous", "step"]
    step: int | None
    path: tuple[str, ...]
    text: str


def references_in(template: Any) -> Iterator[Reference]:
    """Find every reference in a template."""
    match template:
        case str():
            for found in REFERENCE.finditer(template):
                yield parsed(found[1])
        case dict():
            for item in template.values():
                yield from references_in(item)
        case list():
            for item in template:
                yield from references_in(item)
        case _:
            return


def parsed(text: str) -> Reference:
    """Read one reference, or say how one is written."""
    match text.split("."):
        case ["input", *path] if path:
            return Reference("input", None, tuple(path), text)
        case ["previous", *path]:
            return Reference("previous", None, tuple(path), text)
        case ["step", number, *path] if number.isdecimal():
            return Reference("step", int(number), tuple(path), text)
        case _:
            raise ValidationError(
                f"{{{{{text}}}}} is no reference: write {{{{input.NAME}}}}, {{{{previous}}}}, "
                "{{previous.PART}} or {{step.NUMBER.PART}}."
            )
