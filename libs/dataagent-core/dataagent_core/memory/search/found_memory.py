"""What a search of memory returns: memories with a score, and what each leg gave to it."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search_terms import Fusion

LegName = Literal["vector", "keyword", "graph", "neighbour", "speaker", "date", "recency"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LegShare:
    """What one leg says of a memory, and what of the score comes from it."""

    name: LegName
    # As the leg measures it: a cosine, BM25, a nearness in the graph.
    raw: float
    share: float
    # 1 is the leg's best.
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMemory:
    """One result; the shares of its legs add up to the score."""

    memory: Memory
    # Beside the other results of this search; not comparable between searches.
    score: float
    legs: tuple[LegShare, ...]
    # How much of the query it answers, from 0 to 1, whatever else was found.
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMemories:
    """The results of a search, the best first."""

    results: tuple[FoundMemory, ...]
    fusion: Fusion
    # The embedder whose vectors were compared; empty where none were.
    embedder: str = ""
    # Why a leg is missing.
    problem: str = ""
