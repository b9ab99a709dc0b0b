"""Similarity is 50 % signature, 20 % terms, 15 % recency and 15 % success."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traced_runs import GOAL, NOW, worked

from dataagent_core.patterns import PatternTerms, calculate_similarity, extract_pattern

PATTERN = extract_pattern(worked(), tenant_id="t", now=NOW)
OLD = timedelta(days=7)


@pytest.mark.requirement("S2-6.5.4")
@pytest.mark.parametrize(
    ("query", "age", "successes", "expected"),
    [
        ("revenue by region in May 2026", timedelta(), 10, 1.0),
        ("revenue by region in May 2026", OLD, 10, 0.85),
        ("revenue by region in May 2026", timedelta(), 8, 0.85),
        ("revenue by region in May 2026", OLD, 8, 0.7),
        ("revenue by product", timedelta(), 10, 0.2 / 3 + 0.3),
        ("write a poem", timedelta(), 10, 0.3),
        ("write a poem", OLD, 8, 0.0),
        ("", timedelta(), 10, 0.3),
    ],
)
def test_the_parts_add_up(query: str, age: timedelta, successes: int, expected: float):
    pattern = replace(PATTERN, usage_count=10, success_count=successes)
    assert calculate_similarity(query, pattern, NOW + age) == pytest.approx(expected)


def test_three_parts_of_it_are_exactly_the_threshold():
    terms = PatternTerms(entity_weight=0.0)
    assert calculate_similarity(GOAL, PATTERN, NOW, terms) == terms.offer_over


def test_a_goal_without_words_has_nobodys_signature():
    nobody = replace(PATTERN, signature="", entities=())
    assert calculate_similarity("???", nobody, NOW) == 0.3


@given(query=st.text(st.characters(exclude_categories=())), days=st.integers(-10, 4_000))
def test_it_is_a_share(query: str, days: int):
    assert 0.0 <= calculate_similarity(query, PATTERN, NOW + timedelta(days=days)) <= 1.0
