"""S2 §5.2.6: four characters a token, three where some are CJK, two where many are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.tools.catalog import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a" * 100, 25),
        ("中" * 100, 50),
        ("中" * 20 + "a" * 80, 34),
        ("中" * 10 + "a" * 90, 25),
    ],
)
def test_the_estimate_follows_the_share_of_cjk_characters(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(text=st.text())
def test_the_estimate_lies_between_a_quarter_and_a_half_of_the_characters(text: str) -> None:
    assert len(text) / 4 <= estimate_tokens(text) <= len(text) / 2 + 1
