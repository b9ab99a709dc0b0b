"""The fields a server wants filled in, and what a person's answer makes of them. Pure.

Fields are flat: texts, numbers, yes or no, choices. A face may send the object itself, its JSON as
text, or, where there is one field, just its value; texts become numbers where numbers are wanted.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from dataagent_core.config.limits.mcp import MCP_QUESTION_FIELDS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tools.input_schema import check_input_schema
from dataagent_core.tools.pipeline.arguments import find_schema_problems

_YES: Final = frozenset({"true", "yes", "y", "1", "是"})
_NO: Final = frozenset({"false", "no", "n", "0", "否"})


def check_form(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's schema, or say in a `ValidationError` why nobody can be asked to fill it."""
    form = check_input_schema(dict(schema))
    fields = form["properties"]
    if len(fields) > MCP_QUESTION_FIELDS_MAX:
        raise ValidationError(
            f"the server asks for {len(fields)} fields, {MCP_QUESTION_FIELDS_MAX} are possible."
        )
    # Whatever else stands in it, an answer holds these fields and no other.
    kept = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**kept, **({"required": form["required"]} if "required" in form else {})}


def choices_of(field: Any) -> dict[str, Any]:
    """Give a field's choices, by what a person reads."""
    if not isinstance(field, Mapping):
        return {}
    titled = field.get("oneOf") or field.get("anyOf")
    if isinstance(titled, list):
        pairs = [(one.get("title", one.get("const")), one.get("const")) for one in titled
                 if isinstance(one, Mapping) and "const" in one]  # fmt: skip
        return {str(label): value for label, value in pairs}
    values, names = field.get("enum"), field.get("enumNames")
    if not isinstance(values, list):
        return {}
    labels = names if isinstance(names, list) and len(names) == len(values) else values
    return {str(label): value for label, value in zip(labels, values, strict=True)}


def fill_form(schema: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    """Return the fields as an answer fills them; a `ValidationError` says what is wrong."""
    fields: Mapping[str, Any] = schema["properties"]
    given = _as_object(answer, fields)
    content = {name: _value(value, fields.get(name)) for name, value in given.items()}
    problems = find_schema_problems(schema, content)
    if problems:
        raise ValidationError("; ".join(problems[:3]) + ".")
    return content


def _as_object(answer: Any, fields: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(answer, str) and answer.strip().startswith("{"):
        try:
            answer = json.loads(answer)
        except ValueError as error:
            raise ValidationError(f"it is not JSON: {error}.") from error
    if isinstance(answer, dict):
        # A field left empty is a field left out.
        return {name: value for name, value in answer.items() if value is not None}
    if answer is None or answer == "":
        return {}
    if len(fields) != 1:
        wanted = ", ".join(fields) or "none"
        raise ValidationError(f"it must be one JSON object with the fields {wanted}.")
    return dict.fromkeys(fields, answer)


def _value(value: Any, field: Any) -> Any:
    if not isinstance(field, Mapping):
        return value
    choices = choices_of(field)
    if isinstance(value, str) and value in choices:
        return choices[value]
    if isinstance(value, list):
        return [_value(one, field.get("items")) for one in value]
    return _read(value, field.get("type")) if isinstance(value, str) else value


def _read(text: str, kind: Any) -> Any:
    plain = text.strip()
    if kind == "boolean" and plain.lower() in _YES | _NO:
        return plain.lower() in _YES
    if kind in {"integer", "number"}:
        try:
            number = json.loads(plain)
        except ValueError:
            return text
        # Only what JSON calls a number: `NaN` is none, and `true` is no 1.
        finite = isinstance(number, int | float) and not isinstance(number, bool)
        return number if finite and abs(number) < float("inf") else text
    return text
