"""A pattern is admitted by what it has shown, and leaves by failing, ageing or nobody asking."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traced_runs import NOW, worked

from dataagent_core.errors import ConfigurationError
from dataagent_core.patterns import InteractionPattern, PatternTerms, extract_pattern
from dataagent_core.patterns.lifecycle import (
    find_current_rate,
    find_state,
    is_admitted,
    with_query,
    with_state,
)


def pattern(successes: int = 3, failures: int = 0, **more: Any) -> InteractionPattern:
    made = extract_pattern(worked(), tenant_id="t", now=NOW)
    counts = {"success_count": successes, "failure_count": failures}
    return replace(made, **{"usage_count": successes + failures, **counts, **more})


def days(count: float) -> timedelta:
    return timedelta(days=count)


@pytest.mark.requirement("S2-6.5.7-admission")
@pytest.mark.parametrize(
    ("successes", "failures", "asked_days_ago", "admitted"),
    [
        (3, 0, 0, True),
        (2, 0, 0, False),
        (3, 2, 0, True),
        (3, 3, 0, False),
        (30, 20, 7, True),
        (30, 0, 7.1, False),
    ],
)
def test_three_successes_sixty_per_cent_and_somebody_who_asks(
    successes: int, failures: int, asked_days_ago: float, admitted: bool
):
    one = pattern(successes, failures, last_queried_at=NOW - days(asked_days_ago))
    assert is_admitted(one, NOW) == admitted
    assert find_state(one, NOW) == ("trusted" if admitted else "draft")


def test_a_pattern_nobody_ever_asked_for_is_a_draft():
    assert find_state(pattern(last_queried_at=None), NOW) == "draft"


@pytest.mark.requirement("S2-6.5.7-removal")
@pytest.mark.parametrize(
    ("changes", "unused_days", "state"),
    [
        ({"consecutive_failures": 5}, 0, "trusted"),
        ({"consecutive_failures": 6}, 0, "untrusted"),
        ({"success_count": 39, "usage_count": 100}, 0, "draft"),
        ({}, 180, "archived"),
        ({"consecutive_failures": 9}, 181, "archived"),
    ],
)
def test_failing_poor_and_unused_patterns_are_retired(
    changes: dict[str, Any], unused_days: float, state: str
):
    one = pattern(100, **changes)
    assert find_state(one, NOW + days(unused_days) + timedelta(seconds=unused_days)) == state


@pytest.mark.requirement("S2-6.5.6")
def test_the_rate_loses_a_fifth_in_ninety_days_without_use():
    one = pattern(10)
    rates = [find_current_rate(one, NOW + days(passed)) for passed in (0, 89, 90, 180, 270)]
    assert rates == pytest.approx([1.0, 1.0, 0.8, 0.64, 0.512])


@given(passed=st.integers(-400, 4_000), successes=st.integers(0, 20), failures=st.integers(0, 20))
def test_to_compute_it_twice_changes_nothing(passed: int, successes: int, failures: int):
    now = NOW + days(passed)
    once = with_state(pattern(successes, failures), now)
    assert with_state(once, now) == once
    assert 0.0 <= find_current_rate(once, now) <= 1.0
    assert find_current_rate(once, now) <= once.success_rate


def test_an_archived_pattern_that_is_used_again_is_as_good_as_before():
    later = NOW + days(400)
    revived = replace(pattern(10), last_used_at=later, last_queried_at=later)
    assert find_state(pattern(10), later) == "archived"
    assert find_state(revived, later) == "trusted"


def test_a_query_never_moves_back():
    one = with_query(pattern(last_queried_at=NOW), NOW - days(3))
    assert one.last_queried_at == NOW


def test_settings_give_other_terms():
    terms = PatternTerms(admission_successes=1, admission_rate=0.1, unused_days_max=1)
    assert find_state(pattern(1, 1), NOW, terms) == "trusted"
    assert find_state(pattern(1), NOW + days(2), terms) == "archived"


@pytest.mark.parametrize(
    "wrong", [{"offer_over": 1.5}, {"hints_max": -1}, {"decay_days": 0}, {"entity_weight": -0.1}]
)
def test_terms_that_make_no_sense_are_refused(wrong: dict[str, Any]):
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        PatternTerms(**wrong)
