"""Checking a document against a schema in a process of its own."""

import time
from typing import Any

import pytest

from dataagent_core.config.limits.answers import ANSWER_PROBLEMS_TOLD_MAX
from dataagent_core.engine.answer_form.form import problems_of
from dataagent_core.errors import ValidationError

POINT = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "on": {"type": "string", "format": "date"}},
    "required": ["x"],
    "additionalProperties": False,
}


async def test_a_document_that_fits_has_no_problems():
    assert await problems_of('{"x": 1.5, "on": "2026-01-31"}', POINT) == []


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("{}", "'x' is a required property"),
        ('{"x": "one"}', "$.x: 'one' is not of type 'number'"),
        ('{"x": 1, "y": 2}', "'y' was unexpected"),
        ('{"x": 1, "on": "yesterday"}', "is not a 'date'"),
    ],
)
async def test_a_problem_names_the_place_and_what_is_wrong_there(document: str, told: str):
    (problem,) = await problems_of(document, POINT)
    assert told in problem


async def test_only_the_first_problems_are_told_and_each_is_short():
    document = str(list(range(1000))).replace("'", '"')
    problems = await problems_of(document, {"items": {"const": "x" * 5000}})
    assert len(problems) == ANSWER_PROBLEMS_TOLD_MAX
    assert max(map(len, problems)) <= 300


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a+)+$"},
        # Alternatives that hold one another.
        {
            "$ref": "#/$defs/0",
            "$defs": {str(n): {"anyOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(40)}
            | {"40": {"type": "null"}},
        },
    ],
)
async def test_a_schema_that_takes_forever_is_given_up(schema: dict[str, Any]):
    began = time.monotonic()
    with pytest.raises(ValidationError, match=r"too costly|cannot be worked out"):
        await problems_of(f'"{"a" * 40}b"', schema, seconds_max=1.0)
    assert time.monotonic() - began < 60


async def test_a_reference_without_a_target_and_an_endless_one_are_said():
    for schema in ({"$ref": "#/nowhere"}, {"$ref": "#"}):
        with pytest.raises(ValidationError, match="cannot be worked out"):
            await problems_of("1", schema)


async def test_nothing_is_fetched_even_if_a_schema_slips_through_the_check():
    with pytest.raises(ValidationError, match="cannot be worked out"):
        await problems_of("1", {"$ref": "http://127.0.0.1:9/schema.json"})
