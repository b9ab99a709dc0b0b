"""Finds the references in a template and fills in their values.

    {{input.city}}          an argument of the composition
    {{previous.items.0.id}} the result of the previous step, or a part of it
    {{step.1.title}}        the same of an earlier step

Results that are a JSON object or array have parts; all others are text. A string that is a single
reference becomes the value itself, with its type; inside a longer text the value is rendered.
"""

import json
import re
from collections.abc import Iterator, Mapping
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
    """Parse one reference; the error says how one is written."""
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


_SHOWN_KEYS_MAX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateValues:
    """What references can reach: the inputs, and results by the number of their step."""

    inputs: Mapping[str, Any]
    results: Mapping[int, Any]
    previous: int | None = None


def fill_template(template: Any, values: TemplateValues) -> Any:
    """Return the template with values for its references."""
    match template:
        case str():
            whole = REFERENCE.fullmatch(template)
            if whole:
                return _resolve_reference(parse_reference(whole[1]), values)
            return REFERENCE.sub(
                lambda m: _render_value(_resolve_reference(parse_reference(m[1]), values)), template
            )
        case dict():
            return {key: fill_template(item, values) for key, item in template.items()}
        case list():
            return [fill_template(item, values) for item in template]
        case _:
            return template


def _resolve_reference(reference: TemplateReference, values: TemplateValues) -> Any:
    if reference.source == "input":
        return _follow_path(values.inputs, reference)
    number = values.previous if reference.source == "previous" else reference.step
    if number is None or number not in values.results:
        raise ValidationError(f"{{{{{reference.text}}}}} names a step that did not run.")
    return _follow_path(values.results[number], reference)


def _follow_path(value: Any, reference: TemplateReference) -> Any:
    for key in reference.path:
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise ValidationError(
                f"{{{{{reference.text}}}}} has no value: there is no {key!r} in "
                f"{_describe_value(value)}."
            )
    return value


def _describe_value(value: Any) -> str:
    match value:
        case Mapping():
            return (
                f"an object with {', '.join(map(str, list(value)[:_SHOWN_KEYS_MAX])) or 'nothing'}"
            )
        case list():
            return f"an array of {len(value)}"
        case _:
            return f"{type(value).__name__} {value!r:.80}"


def _render_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
