"""Regular expressions of strangers are searched in linear time, or refused with a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.language.linear_regex import PATTERN_CHARS_MAX, compile_linear, find_linear
from tests.counts import examples

# Shapes that make a backtracking engine try every way to split a run of one letter.
ATOMS = st.sampled_from(["a", "a?", "(a|a)", "(a|aa)", "[a-z]", "\\w", "(?:a|\\w)"])
NESTED = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        inner.map(lambda one: f"({one})*"),
        inner.map(lambda one: f"({one})+"),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})*"),
        st.lists(inner, min_size=2, max_size=4).map("".join),
    ),
    max_leaves=6,
)


@given(NESTED)
@settings(max_examples=examples(25), deadline=None)
def test_patterns_that_stall_a_backtracking_engine_answer(pattern: str):
    """2**20000 steps for `re`; that this returns at all is what is shown."""
    try:
        regex = compile_linear(f"^{pattern}!$")
    except ValidationError:
        return
    assert not find_linear(regex, "a" * 20_000)


@pytest.mark.parametrize("pattern", [r"(?=a)b", r"(a)\1", "(", "a{1,5000}{1,5000}", "[z-a]"])
def test_a_pattern_that_cannot_be_searched_in_linear_time_is_refused(pattern: str):
    with pytest.raises(ValidationError, match="linear time") as caught:
        compile_linear(pattern)
    assert repr(pattern) in str(caught.value)


def test_a_long_pattern_is_refused():
    with pytest.raises(ValidationError, match=str(PATTERN_CHARS_MAX)):
        compile_linear("a" * (PATTERN_CHARS_MAX + 1))


def test_letters_match_in_both_cases_and_chinese_matches():
    assert find_linear(compile_linear(r"PR\s*#\d+"), "see pr #12")
    assert find_linear(compile_linear("部署|上线"), "今晚上线吗")


def test_half_a_character_of_a_message_or_pattern_is_searched_as_something_unknown():
    assert find_linear(compile_linear("bill"), "\ud800 a bill") == (4, 8)
    assert find_linear(compile_linear("\ud800"), "a bill") is None


@pytest.mark.parametrize("pattern", ["[^~]{1,999}~", ".{500}.{500}~", "(a{1,30}b){1,30}"])
def test_a_short_pattern_with_thousands_of_steps_is_refused(pattern: str):
    with pytest.raises(ValidationError, match="steps, 1,000 are possible: shorten its repetitions"):
        compile_linear(pattern)
