"""Joins the legs of a search into one score per document. Pure.

`score` adds what each leg measured, stretched from 0 to 1 over what the leg found; it measured
better than `rrf`, S2's reciprocal ranks, which let a weak leg decide as much as a strong one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dataagent_core.memory.search.found_memory import LegName, LegShare
from dataagent_core.memory.search_terms import SearchTerms

# What a leg measured, by document.
Leg = Mapping[str, float]


# What each document has of each leg.
Shares = dict[str, dict[LegName, LegShare]]


def fuse(legs: Mapping[LegName, Leg], terms: SearchTerms) -> Shares:
    """Give each document its share of each leg; all shares of the best possible one add up to 1."""
    weights: dict[LegName, float] = {name: _weigh(name, terms) for name, leg in legs.items() if leg}
    whole = sum(weights.values()) or 1.0
    shares: Shares = {}
    for name, weight in weights.items():
        leg = legs[name]
        if terms.fusion == "rrf":
            add_leg(shares, name, leg, weight / whole, _make_ranks(leg, terms.rrf_k))
        else:
            add_leg(shares, name, leg, weight / whole, _stretch(leg))
    return shares


def add_leg(
    shares: Shares, name: LegName, leg: Leg, weight: float, values: Leg | None = None
) -> None:
    """Add the shares of one leg; `values` are what it counts, from 0 to 1, if not as measured."""
    values = leg if values is None else values
    for rank, key in enumerate(_sort(leg), start=1):
        share = LegShare(name=name, raw=leg[key], rank=rank, share=weight * values[key])
        shares.setdefault(key, {})[name] = share


def add_up(shares: Shares, key: str) -> float:
    """Add up the shares of a document."""
    return sum(leg.share for leg in shares.get(key, {}).values())


def scale(shares: Shares, keys: Iterable[str], whole: float) -> Shares:
    """Return the shares of some documents as parts of a larger whole."""
    return {
        key: {
            name: replace(leg, share=leg.share / whole) for name, leg in shares.get(key, {}).items()
        }
        for key in keys
    }


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
