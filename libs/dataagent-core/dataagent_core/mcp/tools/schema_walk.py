"""Walks through an untrusted JSON schema: every schema inside it, and nothing that is only data.

A property may be called `$ref` and a default value may look like a schema; neither is one.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

# Keywords whose value is a schema, a list of schemas, or schemas by name.
_ONE: Final = frozenset(
    {
        "items", "additionalItems", "additionalProperties", "contains", "else", "if", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_LISTS: Final = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
NAMED: Final = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
_DEFINITIONS: Final = frozenset({"$defs", "definitions"})

Schema = Mapping[str, Any]


def inner_schemas(schema: Schema, *, with_definitions: bool = True) -> Iterator[Schema]:
    """Yield the schemas one level inside this one."""
    for keyword, value in schema.items():
        if keyword in NAMED:
            if with_definitions or keyword not in _DEFINITIONS:
                yield from _select_schemas(value.values() if isinstance(value, Mapping) else ())
        elif keyword in _LISTS and isinstance(value, list):
            yield from _select_schemas(value)
        elif keyword in _ONE:
            yield from _select_schemas((value,))


def all_schemas(schema: Schema) -> Iterator[Schema]:
    """Yield a schema and every schema inside it."""
    pending = [schema]
    while pending:
        one = pending.pop()
        yield one
        pending.extend(inner_schemas(one))


def depth_of(value: Any, depth_max: int) -> int:
    """Return how deep a JSON value is nested; counting stops beyond the limit."""
    depth, level = 0, [value]
    while level and depth <= depth_max:
        depth += 1
        level = [inner for outer in level for inner in _inner_values(outer)]
    return depth


def local_target(root: Schema, reference: str) -> Schema | None:
    """Resolve a local reference the way providers' converters do."""
    first, *parts = reference.split("/")
    found: Any = root if first == "#" else None
    for part in parts:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else None


def expanded_nodes(root: Schema, nodes_max: int) -> int:
    """Count the schemas after expanding every reference; a recursive one is expanded once.

    Counting stops beyond the limit.
    """
    count = 0
    pending: list[tuple[Schema, frozenset[str]]] = [(root, frozenset())]
    while pending and count <= nodes_max:
        schema, inside = pending.pop()
        count += 1
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in inside:
            target = local_target(root, reference)
            if target is not None:
                pending.append((target, inside | {reference}))
        pending.extend((one, inside) for one in inner_schemas(schema, with_definitions=False))
    return count


def _select_schemas(values: Any) -> Iterator[Schema]:
    return (value for value in values if isinstance(value, Mapping))


def _inner_values(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [*value.values()]
    return value if isinstance(value, list) else []
