"""The JSON document in what a model wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.engine.answer_form.form import NoDocument, document_in

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_JSON, st.sampled_from(("{}", "\n{}\n", "```json\n{}\n```", "```\n{}\n``` \n")))
def test_a_document_is_found_as_it_is_with_or_without_a_fence(value: object, around: str):
    written = json.dumps(value, ensure_ascii=False)
    assert document_in(around.replace("{}", written)) == written


@given(st.text())
def test_whatever_a_model_writes_is_a_document_or_a_reason(text: str):
    found = document_in(text)
    if isinstance(found, NoDocument):
        assert found.problem
    else:
        json.loads(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("Here it is: {}", "not a JSON document"),
        ('{"a": NaN}', "NaN"),
        ("[-Infinity]", "Infinity"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ("[" * 100_000, "nested deeper"),
        ("[" * 300 + "]" * 300, "nested deeper"),
        ("{} {}", "not a JSON document"),
    ],
)
def test_what_readers_would_read_differently_or_not_at_all_is_refused(text: str, told: str):
    found = document_in(text)
    assert isinstance(found, NoDocument)
    assert told in found.problem
