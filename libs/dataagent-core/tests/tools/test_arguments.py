"""Wrong arguments are answered with the field, what was given and what is expected."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import StructuredTool, tool

from dataagent_core.tools.pipeline.arguments import (
    describe_wrong_arguments,
    find_argument_problems,
    find_schema_problems,
)

ISSUE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "state": {"enum": ["open", "closed"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 100},
        "labels": {"type": "array", "items": {"$ref": "#/$defs/label"}},
        "assignee": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["title"],
    "additionalProperties": False,
    "$defs": {
        "label": {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
        }
    },
}


@tool
async def read_lines(file_path: str, offset: int = 0) -> str:
    """Read lines."""
    return f"{file_path}{offset}"


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({}, "`title` is missing; expected is string"),
        ({"title": 5}, "`title`: expected is string; given was 5 (integer)"),
        (
            {"title": "a", "state": "done"},
            "`state`: expected is one of 'open', 'closed'; given was",
        ),
        ({"title": "a", "count": 0}, "`count`: expected is at least 1; given was 0 (integer)"),
        ({"title": "a", "count": True}, "`count`: expected is integer; given was true (boolean)"),
        ({"title": ""}, "`title`: expected is at least 1 characters"),
        ({"title": "a", "titel": "b"}, "`titel` is not known here. Did you mean 'title'"),
        ({"title": "a", "labels": [{}]}, "`labels[0].name` is missing"),
        ({"title": "a", "assignee": 3}, "`assignee`: expected is string or null; given was 3"),
    ],
)
def test_a_problem_names_the_field_what_was_given_and_what_is_expected(
    args: dict[str, Any], problem: str
) -> None:
    (found,) = find_schema_problems(ISSUE, args)
    assert found.startswith(problem)


def test_right_arguments_have_no_problems() -> None:
    args = {
        "title": "a",
        "state": "open",
        "count": 3.0,
        "labels": [{"name": "x"}],
        "assignee": None,
    }
    assert find_schema_problems(ISSUE, args) == []


def test_a_schema_that_refers_to_itself_without_end_is_given_up_not_followed_forever() -> None:
    assert find_schema_problems({"$ref": "#"}, {"a": 1}) == []


def test_a_reference_that_leads_nowhere_asks_for_nothing() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/gone"}, "b": {"$ref": "https://example.com"}}}
    assert find_schema_problems(schema, {"a": 1, "b": 2}) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


keywords = st.sampled_from(
    ["type", "items", "enum", "anyOf", "allOf", "$ref", "properties", "required", "minimum"]
)


@given(schema=st.dictionaries(keywords, json_values), value=json_values)
def test_no_schema_from_outside_breaks_the_check(schema: dict[str, Any], value: Any) -> None:
    find_schema_problems(schema, value)


def test_a_python_tool_names_the_missing_field_and_the_unknown_one() -> None:
    problems = find_argument_problems(read_lines, {"path": "/a"})
    assert problems == [
        "`path` is not an argument of this tool. Did you mean 'file_path'?",
        "`file_path` is missing; it is required",
    ]


def test_a_python_tool_takes_what_can_be_converted_and_refuses_what_cannot() -> None:
    assert find_argument_problems(read_lines, {"file_path": "/a", "offset": "5"}) == []
    (problem,) = find_argument_problems(read_lines, {"file_path": "/a", "offset": "ten"})
    assert problem.startswith("`offset`: input should be a valid integer")
    assert problem.endswith('given was "ten" (string)')


def test_a_tool_with_a_json_schema_is_checked_against_it() -> None:
    async def run(**_: Any) -> str:
        return "ok"

    made = StructuredTool(name="issue", description="d", args_schema=ISSUE, coroutine=run)
    assert find_argument_problems(made, {"title": "a"}) == []
    assert find_argument_problems(made, {}) == ["`title` is missing; expected is string"]


def test_the_answer_shows_a_few_problems_and_counts_the_rest() -> None:
    text = describe_wrong_arguments("issue", [f"p{n}" for n in range(8)])
    assert text.startswith("issue did not run, because its arguments are wrong:\n- p0\n")
    assert "- p4\n- and 3 more\n" in text
