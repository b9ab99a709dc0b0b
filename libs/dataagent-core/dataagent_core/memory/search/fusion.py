"""Joins the legs of a search into one score per document, and explains it.

`score` adds what each leg measured, stretched from 0 to 1 over what the leg found; it measured
better than `rrf`, S2's reciprocal ranks, which let a weak leg decide as much as a strong one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dataagent_core.memory.search.found_memory import LegName, LegShare
from dataagent_core.memory.search_terms import SearchTerms

# What a leg measured, by document.
Leg = Mapping[str, float]


@dataclass(frozen=True)
class _WeightedLeg:
    name: LegName
    measured: Leg
    # From 0 to 1 each.
    values: Leg
    weight: float

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The place of each document, from 1."""
        return {key: rank for rank, key in enumerate(_sort(self.measured), start=1)}


class FusedScores:
    """The scores of documents; that of the best possible one is 1."""

    def __init__(self) -> None:
        self._legs: list[_WeightedLeg] = []
        self._totals: dict[str, float] = {}
        self._whole = 0.0

    def add_leg(
        self, name: LegName, measured: Leg, weight: float, values: Leg | None = None
    ) -> None:
        """Add a leg; `values` are what it counts, from 0 to 1, if not as it was measured."""
        leg = _WeightedLeg(name, measured, measured if values is None else values, weight)
        self._legs.append(leg)
        self._whole += weight
        for key, value in leg.values.items():
            self._totals[key] = self._totals.get(key, 0.0) + weight * value

    def list_best(self, limit: int | None = None) -> list[str]:
        """List documents, the best first."""
        return sorted(self._totals, key=lambda key: (-self._totals[key], key))[:limit]

    def score(self, key: str) -> float:
        """Return the score of a document, the sum of its shares."""
        return self._totals[key] / self._whole if self._whole else 0.0

    def explain(self, key: str) -> tuple[LegShare, ...]:
        """List what each leg says of a document, the largest share first."""
        shares = [
            LegShare(
                name=leg.name,
                raw=leg.measured[key],
                share=leg.weight * leg.values[key] / self._whole if self._whole else 0.0,
                rank=leg.ranks[key],
            )
            for leg in self._legs
            if key in leg.measured
        ]
        return tuple(sorted(shares, key=lambda leg: -leg.share))


def fuse(legs: Mapping[LegName, Leg], terms: SearchTerms) -> FusedScores:
    """Join the large legs; their weights add up to 1, without those that found nothing."""
    weights: dict[LegName, float] = {name: _weigh(name, terms) for name, leg in legs.items() if leg}
    whole = sum(weights.values()) or 1.0
    scores = FusedScores()
    for name, weight in weights.items():
        leg = legs[name]
        values = _make_ranks(leg, terms.rrf_k) if terms.fusion == "rrf" else _stretch(leg)
        scores.add_leg(name, leg, weight / whole, values)
    return scores


def _weigh(name: LegName, terms: SearchTerms) -> float:
    match name:
        case "vector":
            return terms.vector_weight
        case "keyword":
            return terms.keyword_weight
        case _:
            return terms.graph_weight


def _stretch(leg: Leg) -> Leg:
    low, high = min(leg.values()), max(leg.values())
    return {key: (raw - low) / (high - low) if high > low else 1.0 for key, raw in leg.items()}


def _make_ranks(leg: Leg, rrf_k: int) -> Leg:
    # The first place of every leg makes 1.
    return {key: (rrf_k + 1) / (rrf_k + rank) for rank, key in enumerate(_sort(leg), start=1)}


def _sort(leg: Leg) -> list[str]:
    return sorted(leg, key=lambda key: -leg[key])
