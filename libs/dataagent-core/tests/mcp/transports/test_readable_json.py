"""JSON that the SDK's parser refuses is read all the same, and other JSON stays what it is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from dataagent_core.mcp.transports.exchange import readable_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["[", '"]', "\\", "{"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(value=values)
def test_property_what_can_be_read_stays_the_same(value: Any) -> None:
    assert json.loads(readable_json(json.dumps(value))) == value


@pytest.mark.parametrize("depth", [201, 1_000, 50_000])
def test_what_is_nested_too_deeply_is_left_out_where_it_stands(depth: int) -> None:
    deep = '{"a":[' * depth + "]}" * depth
    read = from_json(readable_json(f'{{"before":[1],"deep":{deep},"after":"]"}}'))
    assert (read["before"], read["after"]) == ([1], "]")
    assert "nested deeper" in json.dumps(read["deep"])


def test_a_number_that_is_too_long_becomes_a_text() -> None:
    digits = "1" + "0" * 5_000
    assert from_json(readable_json(f'{{"a":{digits},"b":-{digits}.5,"c":7}}')) == {
        "a": digits,
        "b": f"-{digits}.5",
        "c": 7,
    }


@pytest.mark.parametrize(
    "text", ["[" * 300, '"\\' * 300_000, "1" * 3_999 + " 1" * 300_000, "[" * 300 + "]" * 299]
)
def test_what_is_no_json_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="line 1 column"):
        readable_json(text)
