"""Reading a message takes no longer than its text: no repetition is tried in several ways.

The words come from the grammar itself. A repetition that can be read in two ways doubles the work
with each word, and one between two others that take the same blanks multiplies it by the text.
"""

import contextlib
import itertools
import re
from collections.abc import Iterable
from re import _constants as kinds  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
from typing import Any

import pytest
from pattern_parts import REPEATS, repeated_in_several_ways, walk

from dataagent_core.errors import ValidationError
from dataagent_core.subagents import field_reader, mentions, message_parts, negation, subagent_file
from dataagent_core.subagents.mentions import read_mentions
from dataagent_core.subagents.message_parts import split_message
from dataagent_core.subagents.subagent_file import parse_subagent

PATTERNS: dict[str, re.Pattern[str]] = {
    f"{module.__name__}.{name}": value
    for module in (negation, mentions, message_parts, field_reader, subagent_file)
    for name, value in vars(module).items()
    if isinstance(value, re.Pattern)
}
# Between them a text of negations, names and pauses, so that each word stands where it is read.
FRAMES = (
    "不{}x @one",
    "don't {}x @one",
    "禁止{} @one",
    "without {}@ @one",
    "@one {}x",
    "@one 先{}x",
)
# So many words would be read for days, were they read in two ways each.
WORDS_MIN = 64


def spell(parts: Iterable[Any]) -> list[str]:
    """List the texts that a part without look-around can be, with one sign for a set of them."""
    texts = [""]
    for kind, value in parts:
        texts = [text + end for text in texts for end in spell_one(kind, value)]
    return texts


def spell_one(kind: Any, value: Any) -> list[str]:
    if kind is kinds.LITERAL:
        return [chr(value)]
    if kind is kinds.IN:
        signs = [chr(one) for kind, one in value if kind is kinds.LITERAL]
        # A class that a blank is in is a blank.
        return signs if len(signs) == len(value) else [" "]
    if kind is kinds.BRANCH:
        return list(itertools.chain.from_iterable(map(spell, value[1])))
    if kind is kinds.SUBPATTERN:
        return spell(value[-1])
    if kind in (*REPEATS, kinds.POSSESSIVE_REPEAT):
        least, most, body = value
        texts = spell(body)
        once = [" "] if texts[0].isspace() else texts
        return (once if most else []) + ([""] if least == 0 else [])
    return [""]


def list_words(pattern: re.Pattern[str]) -> set[str]:
    """List the words that a pattern repeats."""
    return {
        word.strip()
        for kind, value in walk(parser.parse(pattern.pattern, pattern.flags))
        if kind in (*REPEATS, kinds.POSSESSIVE_REPEAT) and value[1] > 1
        for word in spell(value[2])
        if len(word.strip()) > 0
    }


WORDS = sorted(set[str]().union(*map(list_words, PATTERNS.values())))
BLANKS = (" ", "\n", "\t ", "- ", "(", "`", ",", "\u3000", "\u2014", "@one", "@one ", "a-")


def read_repeated(words: str) -> None:
    many = words * max(WORDS_MIN, 380 // len(words))
    for frame in FRAMES:
        read_mentions(frame.format(many), ("one",))
    split_message(many)


def test_the_grammar_has_words_of_both_languages():
    assert {"交", "委托", "安排", "us", "using", "asks", "agents", "参与"} <= set(WORDS)
    assert len(WORDS) > 150


@pytest.mark.timeout(120)
@pytest.mark.parametrize("join", ["", " "])
def test_each_word_of_the_grammar_may_stand_many_times(join: str):
    for word in (*WORDS, *BLANKS):
        read_repeated(word + join)


@pytest.mark.timeout(120)
def test_each_pair_of_words_may_stand_many_times():
    # Words of letters stand apart: two of them are never one.
    han = [word for word in WORDS if not any(map(str.isascii, word))]
    for one, other in itertools.permutations(han, 2):
        read_mentions(f"不{(one + other) * WORDS_MIN}x @one", ("one",))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_repetition_of_words_is_read_in_one_way(name: str):
    """Possessive or of a few times; or of one sign each, which no other way can divide."""
    assert repeated_in_several_ways(PATTERNS[name]) == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "除了@one" + " " * 20_000,
        "除了@one外" + " " * 20_000,
        "don't use @one" + " " * 20_000 + "x",
        "@one no" + " now" * 20_000 + " x",
        "@one " + "a" * 20_000 + " x",
        "@one is " + "really " * 20_000,
        "@one 先" + "先" * 20_000,
        "@one 不" + "用" * 20_000 + "x",
        "@" + "a-" * 20_000 + "_",
        "@one" + "/@one" * 20_000 + "_",
        "can't " * 20_000 + "@one",
        "\n" * 20_000 + "@one",
        "(" * 20_000 + "@one",
    ],
)
def test_a_text_of_one_sign_is_read(text: str):
    read_mentions(text, ("one",))
    split_message(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "description: " + "<example> " * 20_000,
        "description: " + "<example> user:" * 15_000,
        "description: x\ntools: " + "a(" * 100_000,
    ],
)
def test_a_file_of_one_word_is_read(text: str):
    with contextlib.suppress(ValidationError):
        parse_subagent(f"---\n{text}\n---\nDo it.", "one")
