"""Forms of servers: which can be put to a person, and what their answers become."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tools.elicitation_request import check_form, choices_of, fill_form

FORM = check_form(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 5},
            "age": {"type": "integer", "minimum": 0},
            "share": {"type": "number"},
            "member": {"type": "boolean"},
            "size": {"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"]},
            "likes": {"type": "array", "items": {"enum": ["tea", "milk"]}, "maxItems": 2},
        },
        "required": ["name"],
    }
)
ONE = check_form({"type": "object", "properties": {"n": {"type": "integer"}}})


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ({"name": "Ada"}, {"name": "Ada"}),
        ({"name": "Ada", "age": " 36 "}, {"name": "Ada", "age": 36}),
        (
            {"name": "Ada", "share": "1.5", "member": "yes"},
            {"name": "Ada", "share": 1.5, "member": True},
        ),
        ({"name": "Ada", "member": "否"}, {"name": "Ada", "member": False}),
        ({"name": "Ada", "size": "Large"}, {"name": "Ada", "size": "l"}),
        ({"name": "Ada", "size": "l"}, {"name": "Ada", "size": "l"}),
        ({"name": "Ada", "likes": ["tea"]}, {"name": "Ada", "likes": ["tea"]}),
        ({"name": "Ada", "age": None}, {"name": "Ada"}),
        ('{"name": "Ada"}', {"name": "Ada"}),
    ],
)
def test_what_fits_is_taken(answer: Any, content: dict[str, Any]) -> None:
    assert fill_form(FORM, answer) == content


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({}, "`name` is missing"),
        ("", "`name` is missing"),
        (None, "`name` is missing"),
        ({"name": "Ada Lovelace"}, "at most 5"),
        ({"name": "Ada", "age": "NaN"}, "`age`"),
        ({"name": "Ada", "age": "1e999"}, "`age`"),
        ({"name": "Ada", "age": -1}, "at least 0"),
        ({"name": "Ada", "age": True}, "`age`"),
        ({"name": "Ada", "size": "Medium"}, "one of 's', 'l'"),
        ({"name": "Ada", "likes": ["beer"]}, "`likes[0]`"),
        ({"name": "Ada", "password": "x"}, "`password` is not known"),
        ("{broken", "not JSON"),
        ("Ada", "one JSON object with the fields name, age"),
        (["Ada"], "one JSON object"),
    ],
)
def test_what_does_not_fit_is_named(answer: Any, problem: str) -> None:
    with pytest.raises(ValidationError) as wrong:
        fill_form(FORM, answer)
    assert problem in str(wrong.value)


def test_where_there_is_one_field_its_value_is_enough() -> None:
    assert fill_form(ONE, "5") == {"n": 5}
    assert fill_form(ONE, 5) == {"n": 5}
    assert fill_form(ONE, "") == {}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": {f"f{n}": {} for n in range(51)}},
        {"type": "object", "properties": {"a": {"$ref": "https://evil.example"}}},
    ],
)
def test_a_form_nobody_can_fill_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        check_form(schema)


def test_fields_may_be_named_in_any_language() -> None:
    form = check_form({"type": "object", "properties": {"姓名": {"type": "string"}}})
    assert fill_form(form, {"姓名": "李"}) == {"姓名": "李"}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@given(ANYTHING)
def test_whatever_is_answered_either_fits_or_is_refused(answer: Any) -> None:
    try:
        content = fill_form(FORM, answer)
    except ValidationError:
        return
    assert fill_form(FORM, content) == content


@given(ANYTHING)
def test_whatever_a_field_is_its_choices_can_be_read(field: Any) -> None:
    assert isinstance(choices_of(field), dict)
