"""Reading a message for its class takes no longer than its text, which has a limit.

The words come from the data file: a repetition that can be read in two ways doubles the work with
each word.
"""
# ruff: noqa: RUF001 (signs of both languages)

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pattern_parts import repeated_in_several_ways

from dataagent_core.planning import message_requests, own_text, planning_words
from dataagent_core.planning.complexity import classify
from dataagent_core.planning.own_text import OWN_TEXT_CHARS_MAX, keep_own_text
from dataagent_core.planning.planning_words import WordGroups
from dataagent_core.planning.vague_words import find_vague_words
from tests.counts import examples

MODULES = (message_requests, own_text, planning_words)
PATTERNS: dict[str, re.Pattern[str]] = {
    f"{module.__name__}.{name}": one.pattern if isinstance(one, WordGroups) else one
    for module in MODULES
    for name, value in vars(module).items()
    for one in (value if isinstance(value, tuple) else (value,))
    if isinstance(one, re.Pattern | WordGroups)
}
SIGNS = (*"\"'`“”‘’「」《》>|{}()[]<,;:.?!-–—#$@/\\=+*0 \n\t，。、？（", "\n```\n", "\n    ")
MESSAGE_CHARS = 1_000_000


def list_words(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    return set[str]().union(*map(list_words, value.values() if isinstance(value, dict) else value))


WORDS = sorted(
    list_words(json.loads(Path(planning_words.__file__).with_suffix(".json").read_bytes()))
)


def read(text: str) -> None:
    classify(text)
    find_vague_words(text)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_repetition_of_words_is_read_in_one_way(name: str):
    assert repeated_in_several_ways(PATTERNS[name]) == []


def test_of_a_long_message_both_ends_are_read():
    long = "load it. " + "x" * MESSAGE_CHARS + ". sort it"
    assert classify(long).requests == 2
    assert len(keep_own_text(long)) <= OWN_TEXT_CHARS_MAX


@pytest.mark.timeout(120)
def test_each_word_and_sign_may_fill_a_message():
    for word, join in itertools.product((*WORDS, *SIGNS), ("", " ")):
        read((word + join) * (OWN_TEXT_CHARS_MAX // 4 // len(word + join)))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_message_of_a_million_signs_is_read(sign: str):
    read(sign * (MESSAGE_CHARS // len(sign)))


@given(st.lists(st.sampled_from((*WORDS, *SIGNS)), min_size=1, max_size=4), st.text(max_size=3))
@settings(max_examples=examples(200), deadline=None)
def test_a_message_of_words_many_times_is_read(words: list[str], end: str):
    unit = "".join(words)
    read(unit * (OWN_TEXT_CHARS_MAX // len(unit)) + end)
