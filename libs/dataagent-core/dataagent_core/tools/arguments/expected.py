"""What a JSON schema asks of one value: its type, its bounds, and both in words."""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from dataagent_core.tools.arguments.shown import shown

_ENUM_SHOWN_MAX = 12

_IS: dict[str, Callable[[Any], bool]] = {
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: _is_number(v) and v == v // 1,
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
    "null": lambda v: v is None,
}


def has_type(value: Any, wanted: Any) -> bool:
    """Say whether the value has the type, or one of the types, a schema asks for."""
    names = [name for name in _listed(wanted) if isinstance(name, str) and name in _IS]
    return not names or any(_IS[name](value) for name in names)


def bounds_problem(schema: Mapping[str, Any], value: Any) -> str | None:
    """Say which bound the value breaks."""
    if _is_number(value):
        return _outside(schema, value, "minimum", "maximum", "") or _strictly(schema, value)
    if isinstance(value, str):
        return _outside(schema, len(value), "minLength", "maxLength", " characters")
    if isinstance(value, list):
        return _outside(schema, len(value), "minItems", "maxItems", " items")
    return None


def expected(schema: Mapping[str, Any]) -> str:
    """Describe in a few words what a schema asks for."""
    if "const" in schema:
        return shown(schema["const"])
    if isinstance(choices := schema.get("enum"), list):
        more = ", ..." if len(choices) > _ENUM_SHOWN_MAX else ""
        return f"one of {', '.join(repr(c) for c in choices[:_ENUM_SHOWN_MAX])}{more}"
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(alternatives, list):
        return " or ".join(expected(part) for part in alternatives if isinstance(part, Mapping))
    text = " or ".join(map(str, _listed(schema.get("type", "a value"))))
    items = schema.get("items")
    if text == "array" and isinstance(items, Mapping):
        return f"array of {expected(items)}"
    return text


def _listed(wanted: Any) -> list[Any]:
    return wanted if isinstance(wanted, list) else [wanted]


def _outside(
    schema: Mapping[str, Any], size: float, least: str, most: str, unit: str
) -> str | None:
    low, high = schema.get(least), schema.get(most)
    if _is_number(low) and size < low:
        return f"expected is at least {low}{unit}"
    if _is_number(high) and size > high:
        return f"expected is at most {high}{unit}"
    return None


def _strictly(schema: Mapping[str, Any], value: float) -> str | None:
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if _is_number(low) and value <= low:
        return f"expected is more than {low}"
    if _is_number(high) and value >= high:
        return f"expected is less than {high}"
    return None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
