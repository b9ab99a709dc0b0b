"""Words that differ only in their endings, and what two characters of a Chinese name say."""

import pytest

from dataagent_core.tools.data.receipts.measures.word_families import (
    is_same_family,
    make_verb_pattern,
    map_unshared_pairs,
)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("punctual", "punctuality"),
        ("applied", "applicants"),
        ("consumed", "consumption"),
        ("enrolled", "enrolment"),
        ("penalties", "penalty"),
        ("outflows", "flows"),
    ],
)
def test_words_with_other_endings_are_of_one_family(word: str, other: str):
    assert is_same_family(word, other)


@pytest.mark.parametrize(
    ("word", "other"),
    [("offers", "office"), ("inflows", "outflows"), ("discharge", "discount"), ("late", "latency")],
)
def test_words_that_only_begin_alike_are_not(word: str, other: str):
    assert not is_same_family(word, other)


def test_a_noun_of_a_verb_and_its_particle_is_found_as_both():
    pattern = make_verb_pattern("dropouts")
    assert pattern is not None
    assert pattern.search("71 students dropped out")
    assert not pattern.search("sales dropped")


def test_two_characters_name_a_column_only_where_no_other_has_them():
    pairs = map_unshared_pairs([(0, "丢失件"), (1, "延误件"), (2, "成交套数"), (3, "成交均价")])
    assert pairs["丢失"] == "丢失件"
    assert pairs["均价"] == "成交均价"
    assert "成交" not in pairs
