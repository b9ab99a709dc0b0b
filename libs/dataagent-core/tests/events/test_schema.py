"""The exported JSON schema describes every event, for clients in other languages."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from dataagent_core.events import EVENT_TYPES, Event, json_schema
from dataagent_core.testing.strategies import events

SCHEMA = json_schema()
TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
# Words that say nothing about whether a value fits.
NOTES = {"title", "description", "default", "$defs", "discriminator"}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Say whether a value fits; a word of the schema that this test does not know is a KeyError."""
    return all(RULES[word](value, rule) for word, rule in schema.items() if word not in NOTES)


def has_type(value: Any, name: str) -> bool:
    # To Python a truth value is also an integer; to JSON it is not.
    return isinstance(value, TYPES[name]) and isinstance(value, bool) == (name == "boolean")


def values_fit(value: Any, rule: bool | dict[str, Any]) -> bool:
    if isinstance(rule, bool) or not isinstance(value, dict):
        return rule is not False
    return all(fits(each, rule) for each in value.values())


def properties_fit(value: Any, rule: dict[str, dict[str, Any]]) -> bool:
    return all(fits(value[name], each) for name, each in rule.items() if name in value)


RULES: dict[str, Callable[[Any, Any], bool]] = {
    "$ref": lambda value, rule: fits(value, SCHEMA["$defs"][rule.removeprefix("#/$defs/")]),
    "oneOf": lambda value, rule: sum(fits(value, each) for each in rule) == 1,
    "anyOf": lambda value, rule: any(fits(value, each) for each in rule),
    "const": lambda value, rule: value == rule,
    "enum": lambda value, rule: value in rule,
    "type": has_type,
    "required": lambda value, rule: all(name in value for name in rule),
    "properties": properties_fit,
    "additionalProperties": values_fit,
    "items": lambda value, rule: (
        not isinstance(value, list) or all(fits(each, rule) for each in value)
    ),
}


@given(events())
def test_every_event_fits_the_exported_schema(event: Event):
    assert fits(event.to_dict(), SCHEMA)


@given(events())
def test_every_field_of_an_event_is_described(event: Event):
    definition = SCHEMA["$defs"][type(event).__name__]
    assert set(event.to_dict()) <= set(definition["properties"])


def test_the_schema_tells_the_events_apart_by_their_type():
    assert SCHEMA["discriminator"]["propertyName"] == "event_type"
    assert set(SCHEMA["discriminator"]["mapping"]) == set(EVENT_TYPES)


@pytest.mark.parametrize("missing", ["event_type", "timestamp", "content", "is_final"])
def test_what_every_event_carries_is_required(missing: str):
    data = {
        "event_type": "text",
        "timestamp": 1.5,
        "content": "",
        "is_final": True,
        "figures": [],
        "unsourced": [],
    }
    assert fits(data, SCHEMA)
    del data[missing]
    assert not fits(data, SCHEMA)


def test_a_wrongly_typed_field_does_not_fit():
    assert not fits({"event_type": "warning", "timestamp": 1.5, "code": 1, "message": ""}, SCHEMA)
