"""Checks arguments against a JSON schema, as tools from outside bring it.

Types, required and unknown fields, enumerations, bounds, nested values, alternatives and local
references are checked. What is not listed here passes and is left to the tool itself; `pattern` is
left out on purpose, since an expression from outside can take hours.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_core.config.limits import ARGUMENT_CHECKS_MAX, ARGUMENT_DEPTH_MAX
from dataagent_core.tools.arguments.expected import bounds_problem, expected, has_type
from dataagent_core.tools.arguments.shown import place, shown
from dataagent_core.tools.nearest import did_you_mean

Schema = Mapping[str, Any]


def schema_problems(schema: Schema, value: Any) -> list[str]:
    """List what is wrong with a value."""
    steps = iter(range(ARGUMENT_CHECKS_MAX))
    return list(_Check(root=schema, schema=schema, value=value, path=(), steps=steps).problems())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check:
    root: Schema
    schema: Schema
    value: Any
    path: tuple[str | int, ...]
    # Alternatives that hold one another take hours; what is left unchecked is the tool's to judge.
    steps: Iterator[int]
    depth: int = 0

    def problems(self) -> Iterator[str]:
        if self.depth > ARGUMENT_DEPTH_MAX or next(self.steps, None) is None:
            return
        if isinstance(reference := self.schema.get("$ref"), str):
            yield from self._on(_resolved(self.root, reference)).problems()
            return
        if not self._fits_here():
            yield self._mismatch()
            return
        if problem := bounds_problem(self.schema, self.value):
            yield f"{place(self.path)}: {problem}; given was {shown(self.value)}"
        yield from self._alternatives()
        if isinstance(self.value, dict):
            yield from self._fields(self.value)
        if isinstance(self.value, list) and isinstance(items := self.schema.get("items"), Mapping):
            for index, item in enumerate(self.value):
                yield from self._on(items, item, index).problems()

    def _fits_here(self) -> bool:
        if "const" in self.schema and self.value != self.schema["const"]:
            return False
        choices = self.schema.get("enum")
        if isinstance(choices, list) and self.value not in choices:
            return False
        return has_type(self.value, self.schema.get("type"))

    def _alternatives(self) -> Iterator[str]:
        for part in _schemas(self.schema.get("allOf")):
            yield from self._on(part).problems()
        for keyword in ("anyOf", "oneOf"):
            choices = _schemas(self.schema.get(keyword))
            if choices and not any(_is_empty(self._on(one).problems) for one in choices):
                yield self._mismatch()

    def _fields(self, value: dict[str, Any]) -> Iterator[str]:
        known = _mapping(self.schema.get("properties"))
        required = self.schema.get("required")
        for name in required if isinstance(required, list) else ():
            if isinstance(name, str) and name not in value:
                wanted = expected(_mapping(known.get(name)))
                yield f"{place((*self.path, name))} is missing; expected is {wanted}"
        rest = self.schema.get("additionalProperties")
        for name, item in value.items():
            schema = known.get(name, rest)
            if schema is False:
                hint = did_you_mean(name, known)
                yield f"{place((*self.path, name))} is not known here. {hint}".rstrip()
            elif isinstance(schema, Mapping):
                yield from self._on(schema, item, name).problems()

    def _on(self, schema: Schema, *item_and_key: Any) -> "_Check":
        item, *key = item_and_key or (self.value,)
        path = (*self.path, *key)
        return _Check(
            root=self.root,
            schema=schema,
            value=item,
            path=path,
            steps=self.steps,
            depth=self.depth + 1,
        )

    def _mismatch(self) -> str:
        wanted = expected(self.schema)
        return f"{place(self.path)}: expected is {wanted}; given was {shown(self.value)}"


def _mapping(found: Any) -> Schema:
    return found if isinstance(found, Mapping) else {}


def _schemas(found: Any) -> list[Schema]:
    return [part for part in found if isinstance(part, Mapping)] if isinstance(found, list) else []


def _is_empty(problems: Callable[[], Iterator[str]]) -> bool:
    return next(problems(), None) is None


def _resolved(root: Schema, reference: str) -> Schema:
    found: Any = root if reference.startswith("#") else {}
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    # A reference that leads nowhere asks for nothing we could check.
    return _mapping(found)
