"""References in a template: what they look like and where they stand.

    {{input.city}}          an argument of the composition
    {{previous.items.0.id}} what the step before returned, or a part of it
    {{step.1.title}}        the same of an earlier step

Results that are a JSON object or array have parts; all others are text. `template_values.py` puts
the values in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from dataagent_core.errors import ValidationError

REFERENCE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


@dataclass(frozen=True, slots=True)
class TemplateReference:
    """One `{{...}}`: where to look, and the path from there."""

    source: Literal["input", "previous", "step"]
    step: int | None
    path: tuple[str, ...]
    text: str


def find_references(template: Any) -> Iterator[TemplateReference]:
    """Find every reference in a template."""
    match template:
        case str():
            for found in REFERENCE.finditer(template):
                yield parse_reference(found[1])
        case dict():
            for item in template.values():
                yield from find_references(item)
        case list():
            for item in template:
                yield from find_references(item)
        case _:
            return


def parse_reference(text: str) -> TemplateReference:
    """Read one reference, or say how one is written."""
    match text.split("."):
        case ["input", *path] if path:
            return TemplateReference("input", None, tuple(path), text)
        case ["previous", *path]:
            return TemplateReference("previous", None, tuple(path), text)
        case ["step", number, *path] if number.isdecimal():
            return TemplateReference("step", int(number), tuple(path), text)
        case _:
            raise ValidationError(
                f"{{{{{text}}}}} is no reference: write {{{{input.NAME}}}}, {{{{previous}}}}, "
                "{{previous.PART}} or {{step.NUMBER.PART}}."
            )
