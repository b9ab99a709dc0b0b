"""References take values with their type, and say what is missing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.composition_run import is_condition_true
from dataagent_core.tools.composition.composition_template import Condition
from dataagent_core.tools.composition.template_values import (
    TemplateValues,
    fill_template,
    find_references,
)

VALUES = TemplateValues(
    inputs={"city": "Köln", "days": 3},
    results={1: {"items": [{"id": 7}], "count": 0}, 2: "plain"},
    previous=1,
)

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abc {}", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
)


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("{{input.days}}", 3),
        ("{{ previous.items.0.id }}", 7),
        ("{{previous}}", {"items": [{"id": 7}], "count": 0}),
        ("{{step.2}}", "plain"),
        ("{{input.days}} days in {{input.city}}", "3 days in Köln"),
        ("found {{previous.items}}", 'found [{"id": 7}]'),
        ({"a": ["{{input.city}}", 1]}, {"a": ["Köln", 1]}),
    ],
)
def test_a_whole_reference_keeps_its_type_and_one_in_a_text_is_written_out(
    template: Any, value: Any
) -> None:
    assert fill_template(template, VALUES) == value


@given(template=plain)
def test_what_holds_no_reference_stays_as_it_is(template: Any) -> None:
    assert list(find_references(template)) == []
    assert fill_template(template, VALUES) == template


@given(value=plain)
def test_a_value_that_looks_like_a_reference_is_not_read_again(value: Any) -> None:
    values = TemplateValues(inputs={"x": ["{{input.secret}}", value]}, results={})
    assert fill_template("{{input.x}}", values) == ["{{input.secret}}", value]
    assert "{{input.secret}}" in fill_template("see {{input.x}}", values)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{previous.total}}", "no 'total' in an object with items, count"),
        ("{{previous.items.4}}", "no '4' in an array of 1"),
        ("{{step.2.id}}", "no 'id' in str 'plain'"),
        ("{{step.3}}", "a step that did not run"),
        ("{{output}}", "is no reference: write {{input.NAME}}"),
        ("{{input}}", "is no reference"),
    ],
)
def test_a_value_that_is_not_there_is_named(template: str, message: str) -> None:
    with pytest.raises(ValidationError) as error:
        fill_template(template, VALUES)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"value": "{{previous.count}}", "op": "equals", "to": 0}, True),
        ({"value": "{{previous.count}}", "op": "not_equals", "to": 0}, False),
        ({"value": "{{input.city}}", "op": "contains", "to": "ö"}, True),
        ({"value": "{{input.days}}", "op": "greater", "to": 2}, True),
        ({"value": "{{input.days}}", "op": "less", "to": 2}, False),
        ({"value": "{{input.city}}", "op": "greater", "to": 2}, False),
        ({"value": "{{previous.total}}", "op": "exists"}, False),
        ({"value": "{{previous.total}}", "op": "exists", "to": False}, True),
        ({"value": "{{previous.count}}", "op": "exists"}, True),
        ({"value": "{{previous.total}}", "op": "equals", "to": None}, False),
    ],
)
def test_conditions_compare_and_never_break(condition: dict[str, Any], expected: bool) -> None:
    assert is_condition_true(Condition.model_validate(condition), VALUES) is expected
