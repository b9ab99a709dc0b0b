"""Which schemas are taken for an answer, and what is said of the others."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits.answers import ANSWER_SCHEMA_BYTES_MAX
from dataagent_core.engine.answer_form import check_answer_schema, read_answer_schema
from dataagent_core.errors import ValidationError

PERSON = {
    "type": "object",
    "properties": {"name": {"$ref": "#/$defs/name"}, "$ref": {"type": "string"}},
    "required": ["name"],
    "$defs": {"name": {"type": "string", "minLength": 1}},
}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


@pytest.mark.requirement("F8-8-schema")
def test_a_schema_with_references_into_itself_is_taken_as_it_is():
    assert check_answer_schema(PERSON) == PERSON
    assert read_answer_schema(json.dumps(PERSON).encode(), "p.json") == PERSON


def test_a_schema_may_name_an_older_dialect():
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "integer"}
    assert check_answer_schema(old) == old


@pytest.mark.requirement("F8-8-schema")
@pytest.mark.parametrize(
    ("schema", "told"),
    [
        (True, "not an object"),
        ({"type": "strnig"}, "wrong at"),
        ({"$schema": "https://example.test/own"}, "dialect nobody here knows"),
        ({"$schema": 7}, "dialect nobody here knows"),
        ({"$ref": "https://example.test/s.json"}, "nothing is fetched"),
        ({"properties": {"a": {"$ref": "other.json#/x"}}}, "nothing is fetched"),
        ({"items": {"$dynamicRef": "file:///etc/passwd"}}, "nothing is fetched"),
        (deep(100), "nested deeper"),
        ({"description": "x" * ANSWER_SCHEMA_BYTES_MAX}, "bytes"),
        ({"pattern": "("}, "wrong at"),
    ],
)
def test_a_schema_that_cannot_be_held_to_is_refused_with_the_reason(schema: Any, told: str):
    with pytest.raises(ValidationError, match=told):
        check_answer_schema(schema)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{oops", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[" * 60_000, "nested too deeply|not JSON"),
        (b" " * (ANSWER_SCHEMA_BYTES_MAX + 1), "larger than"),
    ],
)
def test_a_file_that_is_no_schema_is_refused(data: bytes, told: str):
    with pytest.raises(ValidationError, match=told):
        read_answer_schema(data, "s.json")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(("$ref", "type", "items", "properties", "$schema", "pattern", "anyOf")),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_VALUES)
def test_whatever_is_given_is_taken_whole_or_refused_in_words(value: Any):
    with suppress(ValidationError):
        assert check_answer_schema(value) is value
