"""How near entities are to those a search found: a walk over relations, step by step. Pure.

A step takes from each entity a part of its nearness to its neighbours: more over an edge of more
weight, less from an entity of many edges, which says little about each. What is reached in several
ways is nearer than by each of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

T = TypeVar("T", int, str)
_STEP: Final = 0.6
# An edge of weight 1 passes on two thirds of it, one of weight 4 nearly nine tenths.
_WEIGHT_HALF: Final = 0.5
# Edges beyond which an entity passes on less over each.
_EDGES_PLAIN: Final = 8


def take_step(
    nearness: Mapping[T, float], frontier: Iterable[T], edges: Iterable[tuple[T, T, float]]
) -> dict[T, float]:
    """Return what is reached from `frontier`, without what was near before."""
    starts = set(frontier)
    joined: dict[T, dict[T, float]] = defaultdict(dict)
    for source, target, weight in edges:
        for start, end in ((source, target), (target, source)):
            if start in starts and end != start:
                joined[start][end] = joined[start].get(end, 0.0) + weight
    reached: dict[T, float] = {}
    for start, ends in joined.items():
        share = _STEP * nearness[start] * min(1.0, (_EDGES_PLAIN / len(ends)) ** 0.5)
        for end, weight in ends.items():
            if end not in nearness:
                step = share * weight / (weight + _WEIGHT_HALF)
                reached[end] = 1 - (1 - reached.get(end, 0.0)) * (1 - step)
    return reached


def keep_nearest(nearness: Mapping[T, float], count: int) -> list[T]:
    """List the nearest, the nearest first; of equally near ones the smaller id first."""
    return sorted(nearness, key=lambda one: (-nearness[one], one))[:count]
