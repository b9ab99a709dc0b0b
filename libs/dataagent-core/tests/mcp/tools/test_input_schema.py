"""Schemas from servers: what is taken, what is refused, and that providers take the rest."""

import re
import time
from typing import Any

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool

from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tools.input_schema import (
    arguments_schema,
    check_input_schema,
    make_provider_schema,
)
from dataagent_core.tools.pipeline.arguments import find_schema_problems

NUMBER = {"type": "number"}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def bomb() -> dict[str, Any]:
    """Each definition holds the next one twice: thirty of them stand for a billion."""
    definitions: dict[str, Any] = {
        f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]}
        for n in range(30)
    }
    definitions["d30"] = NUMBER
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        (None, "not an object"),
        ([], "not an object"),
        ({"type": "array"}, "'array'"),
        ({"type": ["object", "null"]}, "arguments are an object"),
        ({"type": "object", "properties": []}, "properties"),
        ({"type": "object", "properties": {"a": {"type": "wrong"}}}, "properties/a/type"),
        ({"type": "object", "required": "a"}, "required"),
        ({"type": "object", "$schema": 5}, "dialect"),
        ({"properties": {"a": {"$ref": "https://evil.example/s.json"}}}, "outside itself"),
        ({"properties": {"a": {"$ref": "file:///etc/passwd"}}}, "outside itself"),
        ({"properties": {"a": {"$ref": "#/$defs/nothing"}}}, "nowhere"),
        ({"properties": {"a": {"$ref": "#anchor"}}}, "nowhere"),
        ({"properties": {"a": {"$dynamicRef": "#x"}}}, "nowhere"),
        ({"properties": {"a b": NUMBER}}, "'a b'"),
        ({"properties": {"$ref": NUMBER}}, "cannot be followed"),
        ({"properties": {"": NUMBER}}, "''"),
        ({"properties": {"a": {"default": {"$ref": "https://data/"}}}}, "cannot be followed"),
        ({"properties": {f"p{n}": NUMBER for n in range(501)}}, "501 properties"),
        ({"description": "x" * 70_000}, "bytes"),
        (nested(100), "deeper"),
        (bomb(), "more than"),
    ],
    ids=str,
)
def test_a_schema_nobody_could_use_is_refused_with_the_reason(schema: Any, sentence: str) -> None:
    began = time.monotonic()
    with pytest.raises(ValidationError, match=re.escape(sentence)):
        arguments_schema(schema)
    assert time.monotonic() - began < 60


TREE = {
    "type": "object",
    "properties": {"tree": {"$ref": "#/$defs/tree"}},
    "$defs": {
        "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "n": NUMBER}}
    },
}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"properties": {"a": NUMBER}, "required": ["a"]},
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": NUMBER}},
        {"$schema": "https://nobody.example/dialect", "properties": {"a": {"type": "odd"}}},
        {"type": "object", "anyOf": [{"required": ["a"]}], "properties": {"a": NUMBER}},
        TREE,
    ],
    ids=str,
)
def test_what_servers_send_in_practice_is_taken_and_can_be_given_to_a_provider(
    schema: dict[str, Any],
) -> None:
    shown = make_provider_schema(arguments_schema(schema))
    assert shown["type"] == "object"
    assert isinstance(shown["properties"], dict)
    assert not {"anyOf", "oneOf", "allOf", "not", "$schema"} & shown.keys()
    tool = {"title": "mcp__local_s__t", "description": "d", **shown}
    assert convert_to_openai_tool(tool)["function"]["name"] == "mcp__local_s__t"


def test_what_is_not_shown_is_checked_all_the_same() -> None:
    schema = arguments_schema({"properties": {"a": NUMBER}, "anyOf": [{"required": ["a"]}]})
    assert find_schema_problems(schema, {})
    assert not find_schema_problems(schema, {"a": 1})


def test_alternatives_that_hold_one_another_are_not_followed_for_hours() -> None:
    looping = {"anyOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/x"}]}
    schema = check_input_schema(
        {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": looping}}
    )
    began = time.monotonic()
    find_schema_problems(schema, {"a": 1})
    assert time.monotonic() - began < 60
