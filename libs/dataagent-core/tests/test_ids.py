"""Ids become file names and column values, so only harmless ones are let in."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.ids import checked_id, new_id

ALNUM = string.ascii_letters + string.digits


@given(st.text(ALNUM, min_size=1, max_size=1), st.text(ALNUM + "._-", max_size=63))
def test_an_id_of_letters_digits_dots_underscores_and_dashes_is_returned_unchanged(
    first: str, rest: str
):
    assert checked_id(first + rest, "session id") == first + rest


@pytest.mark.parametrize(
    "value",
    [
        "",
        ".",
        "..",
        ".hidden",
        "-rf",
        "_x",
        "a/b",
        "a\\b",
        "a b",
        "a\n",
        "a\0",
        "é",
        "数据",
        "a" * 65,
    ],
)
def test_any_other_id_is_refused(value: str):
    with pytest.raises(ValidationError):
        checked_id(value, "session id")


@given(st.text(), st.sampled_from("/\\\0\n :*?"), st.text())
def test_no_id_holds_a_separator_or_a_control_character(before: str, bad: str, after: str):
    with pytest.raises(ValidationError):
        checked_id(before + bad + after, "session id")


def test_the_refusal_names_the_value_and_what_it_was_for():
    with pytest.raises(ValidationError, match=r"'a/b' cannot be a session id: use 1 to 64"):
        checked_id("a/b", "session id")


def test_the_refusal_of_a_very_long_id_stays_short():
    with pytest.raises(ValidationError) as refusal:
        checked_id("a" * 100_000, "session id")
    assert len(str(refusal.value)) < 300


def test_a_fresh_id_is_a_valid_id_and_never_the_last_one():
    first, second = new_id(), new_id()
    assert checked_id(first, "session id") == first
    assert first != second
