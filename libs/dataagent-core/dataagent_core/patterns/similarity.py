"""How much a pattern is like what a person wants now (S2 §6.5.4): 50/20/15/15. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from dataagent_core.patterns.entities import find_entities
from dataagent_core.patterns.interaction_pattern import InteractionPattern
from dataagent_core.patterns.lifecycle import DEFAULT_TERMS, find_current_rate
from dataagent_core.patterns.pattern_terms import PatternTerms
from dataagent_core.patterns.signature import sign_terms

# So that 0.5 + 0.15 + 0.15 is 0.8.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class PatternQuery:
    """A message as patterns are compared with it; read once for all of them."""

    signature: str
    entities: tuple[str, ...]


def read_query(message: str) -> PatternQuery:
    """Read what a person wants."""
    found = find_entities(message)
    return PatternQuery(sign_terms(found), found.terms)


def calculate_similarity(
    query: str | PatternQuery,
    pattern: InteractionPattern,
    now: datetime,
    terms: PatternTerms = DEFAULT_TERMS,
) -> float:
    """Return the similarity, from 0 to 1."""
    asked = read_query(query) if isinstance(query, str) else query
    has_signature = bool(asked.signature) and asked.signature == pattern.signature
    is_recent = pattern.updated_at > now - timedelta(days=terms.recent_days)
    is_successful = find_current_rate(pattern, now, terms) > terms.high_rate
    score = (
        terms.signature_weight * has_signature
        + terms.entity_weight * calculate_overlap(asked.entities, pattern.entities)
        + terms.recency_weight * is_recent
        + terms.success_weight * is_successful
    )
    return round(score, _DIGITS)


def calculate_overlap(mine: Collection[str], theirs: Collection[str]) -> float:
    """Return which share of the terms of two goals is in both."""
    every = {*mine, *theirs}
    return len({*mine} & {*theirs}) / len(every) if every else 0.0
