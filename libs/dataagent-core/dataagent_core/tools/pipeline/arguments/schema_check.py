"""Checks arguments against a JSON schema of a tool from outside.

Types, required and unknown fields, enumerations, bounds, nested values, alternatives and local
references are checked and described in words. Other keywords are left to the tool; `pattern` is
omitted on purpose, because an expression from outside can take hours.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from dataagent_core.config.limits import ARGUMENT_CHECKS_MAX, ARGUMENT_DEPTH_MAX
from dataagent_core.tools.definition.name_suggestions import suggest_names
from dataagent_core.tools.pipeline.arguments.value_text import render_path, render_value

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
    names = [name for name in _as_list(wanted) if isinstance(name, str) and name in _IS]
    return not names or any(_IS[name](value) for name in names)


def find_bounds_problem(schema: Mapping[str, Any], value: Any) -> str | None:
    """Say which bound the value breaks."""
    if _is_number(value):
        return _find_bound_problem(
            schema, value, "minimum", "maximum", ""
        ) or _find_exclusive_bound_problem(schema, value)
    if isinstance(value, str):
        return _find_bound_problem(schema, len(value), "minLength", "maxLength", " characters")
    if isinstance(value, list):
        return _find_bound_problem(schema, len(value), "minItems", "maxItems", " items")
    return None


def describe_expectation(schema: Mapping[str, Any]) -> str:
    """Describe in a few words what a schema asks for."""
    if "const" in schema:
        return render_value(schema["const"])
    if isinstance(choices := schema.get("enum"), list):
        more = ", ..." if len(choices) > _ENUM_SHOWN_MAX else ""
        return f"one of {', '.join(repr(c) for c in choices[:_ENUM_SHOWN_MAX])}{more}"
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(alternatives, list):
        return " or ".join(
            describe_expectation(part) for part in alternatives if isinstance(part, Mapping)
        )
    text = " or ".join(map(str, _as_list(schema.get("type", "a value"))))
    items = schema.get("items")
    if text == "array" and isinstance(items, Mapping):
        return f"array of {describe_expectation(items)}"
    return text


def _as_list(wanted: Any) -> list[Any]:
    return wanted if isinstance(wanted, list) else [wanted]


def _find_bound_problem(
    schema: Mapping[str, Any], size: float, least: str, most: str, unit: str
) -> str | None:
    low, high = schema.get(least), schema.get(most)
    if _is_number(low) and size < low:
        return f"expected is at least {low}{unit}"
    if _is_number(high) and size > high:
        return f"expected is at most {high}{unit}"
    return None


def _find_exclusive_bound_problem(schema: Mapping[str, Any], value: float) -> str | None:
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if _is_number(low) and value <= low:
        return f"expected is more than {low}"
    if _is_number(high) and value >= high:
        return f"expected is less than {high}"
    return None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


Schema = Mapping[str, Any]


def find_schema_problems(schema: Schema, value: Any) -> list[str]:
    """List what is wrong with a value."""
    steps = iter(range(ARGUMENT_CHECKS_MAX))
    return list(
        _SchemaCheck(root=schema, schema=schema, value=value, path=(), steps=steps).problems()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _SchemaCheck:
    root: Schema
    schema: Schema
    value: Any
    path: tuple[str | int, ...]
    # Nested alternatives take hours; what is left unchecked the tool must check.
    steps: Iterator[int]
    depth: int = 0

    def problems(self) -> Iterator[str]:
        if self.depth > ARGUMENT_DEPTH_MAX or next(self.steps, None) is None:
            return
        if isinstance(reference := self.schema.get("$ref"), str):
            yield from self._check_inner(_resolve_reference(self.root, reference)).problems()
            return
        if not self._fits_here():
            yield self._describe_mismatch()
            return
        if problem := find_bounds_problem(self.schema, self.value):
            yield f"{render_path(self.path)}: {problem}; given was {render_value(self.value)}"
        yield from self._check_alternatives()
        if isinstance(self.value, dict):
            yield from self._check_fields(self.value)
        if isinstance(self.value, list) and isinstance(items := self.schema.get("items"), Mapping):
            for index, item in enumerate(self.value):
                yield from self._check_inner(items, item, index).problems()

    def _fits_here(self) -> bool:
        if "const" in self.schema and self.value != self.schema["const"]:
            return False
        choices = self.schema.get("enum")
        if isinstance(choices, list) and self.value not in choices:
            return False
        return has_type(self.value, self.schema.get("type"))

    def _check_alternatives(self) -> Iterator[str]:
        for part in _schemas(self.schema.get("allOf")):
            yield from self._check_inner(part).problems()
        for keyword in ("anyOf", "oneOf"):
            choices = _schemas(self.schema.get(keyword))
            if choices and not any(_is_empty(self._check_inner(one).problems) for one in choices):
                yield self._describe_mismatch()

    def _check_fields(self, value: dict[str, Any]) -> Iterator[str]:
        known = _as_mapping(self.schema.get("properties"))
        required = self.schema.get("required")
        for name in required if isinstance(required, list) else ():
            if isinstance(name, str) and name not in value:
                wanted = describe_expectation(_as_mapping(known.get(name)))
                yield f"{render_path((*self.path, name))} is missing; expected is {wanted}"
        rest = self.schema.get("additionalProperties")
        for name, item in value.items():
            schema = known.get(name, rest)
            if schema is False:
                hint = suggest_names(name, known)
                yield f"{render_path((*self.path, name))} is not known here. {hint}".rstrip()
            elif isinstance(schema, Mapping):
                yield from self._check_inner(schema, item, name).problems()

    def _check_inner(self, schema: Schema, *item_and_key: Any) -> "_SchemaCheck":
        item, *key = item_and_key or (self.value,)
        path = (*self.path, *key)
        return _SchemaCheck(
            root=self.root,
            schema=schema,
            value=item,
            path=path,
            steps=self.steps,
            depth=self.depth + 1,
        )

    def _describe_mismatch(self) -> str:
        wanted = describe_expectation(self.schema)
        return (
            f"{render_path(self.path)}: expected is {wanted}; given was {render_value(self.value)}"
        )


def _as_mapping(found: Any) -> Schema:
    return found if isinstance(found, Mapping) else {}


def _schemas(found: Any) -> list[Schema]:
    return [part for part in found if isinstance(part, Mapping)] if isinstance(found, list) else []


def _is_empty(problems: Callable[[], Iterator[str]]) -> bool:
    return next(problems(), None) is None


def _resolve_reference(root: Schema, reference: str) -> Schema:
    found: Any = root if reference.startswith("#") else {}
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    # A reference that leads nowhere asks for nothing we could check.
    return _as_mapping(found)
