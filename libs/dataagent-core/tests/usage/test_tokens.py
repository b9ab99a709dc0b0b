"""What a call used, whatever a provider reports."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.usage import TokenUsage, tokens_of


def test_openai_and_anthropic_shapes_are_read_alike() -> None:
    openai = {
        "input_tokens": 1000,
        "output_tokens": 50,
        "total_tokens": 1050,
        "input_token_details": {"cache_read": 800},
        "output_token_details": {"reasoning": 30},
    }
    assert tokens_of(openai) == TokenUsage(input=1000, output=50, cached_read=800, reasoning=30)
    anthropic = {
        "input_tokens": 1000,
        "output_tokens": 50,
        "input_token_details": {
            "cache_read": 700,
            "cache_creation": 0,
            "ephemeral_5m_input_tokens": 200,
            "ephemeral_1h_input_tokens": 10,
        },
    }
    assert tokens_of(anthropic) == TokenUsage(
        input=1000, output=50, cached_read=700, cached_write=210
    )


def test_the_cached_share_is_of_the_input() -> None:
    assert TokenUsage(input=1000, cached_read=250, output=9).cached_share == 0.25
    assert TokenUsage().cached_share == 0.0


@pytest.mark.parametrize("nothing", [None, {}, {"input_tokens": None}, {"input_tokens": "12"}])
def test_what_is_not_reported_is_none(nothing: Any) -> None:
    assert tokens_of(nothing) == TokenUsage()


ANYTHING = st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=3), st.booleans())
DETAILS = st.dictionaries(
    st.sampled_from(["cache_read", "cache_creation", "ephemeral_5m_input_tokens", "reasoning"]),
    ANYTHING,
)


@given(
    st.fixed_dictionaries(
        {"input_tokens": ANYTHING, "output_tokens": ANYTHING},
        optional={
            "input_token_details": st.none() | DETAILS,
            "output_token_details": st.none() | DETAILS,
        },
    )
)
def test_whatever_is_reported_the_parts_are_within_the_whole(usage: dict[str, Any]) -> None:
    tokens = tokens_of(usage)
    assert 0 <= tokens.cached_read + tokens.cached_write <= tokens.input
    assert 0 <= tokens.reasoning <= tokens.output
    assert tokens.total == tokens.input + tokens.output
