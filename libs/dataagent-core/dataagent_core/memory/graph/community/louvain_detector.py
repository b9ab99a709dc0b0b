"""Finds communities, and computes again only what has changed since. Pure.

A community keeps a fingerprint of all edges of its members. Where it is as before, nothing is
computed: the community stands in the graph as one node, which others may join. So what is new grows
beside what is old, and a fresh start (`found` empty) may divide the whole better.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Edge = tuple[str, str, float]
# Two runs over the same edges give the same communities.
_SEED: Final = 7
_FINGERPRINT_BYTES: Final = 16
_MODULUS: Final = 2 ** (8 * _FINGERPRINT_BYTES)


@dataclass(frozen=True, slots=True)
class FoundCommunity:
    """A community; `id` is empty for one that is new."""

    id: str
    members: tuple[str, ...]
    fingerprint: str
    is_changed: bool


def detect_communities(
    edges: Sequence[Edge],
    found: Mapping[str, tuple[str, Sequence[str]]],
    *,
    min_size: int,
    resolution: float,
) -> list[FoundCommunity]:
    """Return all communities; `found` has the fingerprint and members of those known by id."""
    neighbours = _count_edges(edges)
    community_of = {member: one for one, (_, members) in found.items() for member in members}
    prints = _make_fingerprints(edges, community_of)
    kept = {
        one: [member for member in members if member in neighbours]
        for one, (fingerprint, members) in found.items()
        if prints.get(one) == fingerprint
    }
    blocks = _divide(edges, kept, neighbours, resolution)
    unused = dict.fromkeys(one for one in found if one not in kept)
    communities: list[FoundCommunity] = []
    for block in sorted(blocks, key=lambda one: (-len(one), min(one))):
        if len(block) < min_size:
            continue
        name = _choose_id(block, community_of, kept, unused)
        is_same = name in kept and len(kept[name]) == len(block)
        communities.append(
            FoundCommunity(
                id=name,
                members=tuple(sorted(block)),
                fingerprint=_print_members(block, neighbours),
                is_changed=not is_same,
            )
        )
    return communities


def rank_members(members: Iterable[str], edges: Iterable[Edge]) -> list[str]:
    """List members, those with most weight inside of the community first."""
    inside = set(members)
    weights: dict[str, float] = defaultdict(float)
    for one, other, weight in edges:
        if one in inside and other in inside:
            weights[one] += weight
            weights[other] += weight
    return sorted(inside, key=lambda one: (-weights[one], one))


def _divide(
    edges: Sequence[Edge],
    kept: Mapping[str, Sequence[str]],
    neighbours: Mapping[str, Mapping[str, float]],
    resolution: float,
) -> list[set[str]]:
    """Divide what has changed by Louvain's method; what is kept stands there as one node each."""
    anchor_of = {member: one for one, members in kept.items() for member in members}
    if len(anchor_of) == len(neighbours):
        return [set(members) for members in kept.values() if members]
    import networkx as nx

    graph = nx.Graph()
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for one, other, weight in edges:
        ends = sorted(_name(end, anchor_of) for end in (one, other))
        weights[ends[0], ends[1]] += weight
    graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in weights.items())
    blocks = nx.community.louvain_communities(
        graph, weight="weight", resolution=resolution, seed=_SEED
    )
    return [
        {member for node in block for member in (kept[node[2:]] if node[0] == "c" else [node[2:]])}
        for block in blocks
    ]


def _name(entity: str, anchor_of: Mapping[str, str]) -> str:
    """Name the node of an entity: its own, or that of its community."""
    return f"c:{anchor_of[entity]}" if entity in anchor_of else f"e:{entity}"


def _choose_id(
    block: set[str],
    community_of: Mapping[str, str],
    kept: Mapping[str, Sequence[str]],
    unused: dict[str, None],
) -> str:
    """Return the id of the community that most members were of, if no other block has it."""
    counts: dict[str, int] = defaultdict(int)
    for member in block:
        if member in community_of:
            counts[community_of[member]] += 1
    for one in sorted(counts, key=lambda each: (-counts[each], each)):
        if one in kept or one in unused:
            unused.pop(one, None)
            return one
    return ""


def _count_edges(edges: Iterable[Edge]) -> dict[str, dict[str, float]]:
    neighbours: dict[str, dict[str, float]] = defaultdict(dict)
    for one, other, weight in edges:
        neighbours[one][other] = weight
        neighbours[other][one] = weight
    return neighbours


def _make_fingerprints(edges: Iterable[Edge], community_of: Mapping[str, str]) -> dict[str, str]:
    sums: dict[str, int] = defaultdict(int)
    for edge in edges:
        communities = {community_of.get(edge[0]), community_of.get(edge[1])} - {None}
        if communities:
            number = _hash_edge(edge)
            for one in communities:
                assert one is not None
                sums[one] += number
    return {one: f"{total % _MODULUS:032x}" for one, total in sums.items()}


def _print_members(block: set[str], neighbours: Mapping[str, Mapping[str, float]]) -> str:
    total = 0
    for member in block:
        for other, weight in neighbours[member].items():
            if other not in block or member < other:
                total += _hash_edge((min(member, other), max(member, other), weight))
    return f"{total % _MODULUS:032x}"


def _hash_edge(edge: tuple[str, str, float]) -> int:
    text = f"{edge[0]} {edge[1]} {edge[2]:.3f}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_FINGERPRINT_BYTES).digest())
