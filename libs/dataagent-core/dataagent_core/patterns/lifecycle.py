"""The life of a pattern (S2 §6.5.7): admission, retirement and decay. Pure.

Nothing of it needs a job: state and rate are computed from counts and moments whenever a pattern is
looked at, so computing them twice changes nothing. The stored state is for lists.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from dataagent_core.patterns.interaction_pattern import InteractionPattern, PatternState
from dataagent_core.patterns.pattern_terms import PatternTerms

DEFAULT_TERMS: Final = PatternTerms()


def find_state(
    pattern: InteractionPattern, now: datetime, terms: PatternTerms = DEFAULT_TERMS
) -> PatternState:
    """Say in which state a pattern is now; only a trusted one is used."""
    if find_unused_time(pattern, now) > timedelta(days=terms.unused_days_max):
        return "archived"
    if pattern.consecutive_failures > terms.failures_in_row_max:
        return "untrusted"
    if find_current_rate(pattern, now, terms) < terms.rate_min:
        return "draft"
    return "trusted" if is_admitted(pattern, now, terms) else "draft"


def is_admitted(
    pattern: InteractionPattern, now: datetime, terms: PatternTerms = DEFAULT_TERMS
) -> bool:
    """Say whether a pattern has shown enough: successes, rate, and that somebody asks for it."""
    asked_at = pattern.last_queried_at
    return (
        pattern.success_count >= terms.admission_successes
        and find_current_rate(pattern, now, terms) >= terms.admission_rate
        and asked_at is not None
        and now - asked_at <= timedelta(days=terms.admission_asked_days)
    )


def find_current_rate(
    pattern: InteractionPattern, now: datetime, terms: PatternTerms = DEFAULT_TERMS
) -> float:
    """Return the success rate less what it lost by not being used."""
    periods = find_unused_time(pattern, now) // timedelta(days=terms.decay_days)
    return pattern.success_rate * (1.0 - terms.decay_share) ** periods


def find_unused_time(pattern: InteractionPattern, now: datetime) -> timedelta:
    """Return how long nobody has used a pattern; a clock that went back makes it none."""
    return max(timedelta(), now - (pattern.last_used_at or pattern.created_at))


def with_state(
    pattern: InteractionPattern, now: datetime, terms: PatternTerms = DEFAULT_TERMS
) -> InteractionPattern:
    """Return the pattern with the state it is in now."""
    return replace(pattern, state=find_state(pattern, now, terms))


def with_query(pattern: InteractionPattern, now: datetime) -> InteractionPattern:
    """Return the pattern after somebody asked for such work."""
    return replace(pattern, last_queried_at=max(now, pattern.last_queried_at or now))
