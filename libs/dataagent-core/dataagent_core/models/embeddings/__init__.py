"""Embeddings, and scores made of words and meaning.

A match of skills, a choice of sub-agents and a search of memory use the same three steps:

    embedder = resolve_embedder(settings)
    index = find_index((MatchDocument(key=..., description=...),), embedder)
    scores = await index.rank(message)     # MatchScore, the best first

`MatchScore.is_match` says whether a score is high enough to act on. An embedder that fails takes
away only the meaning: the scores are then made of words, and the reason says so.
"""

from dataagent_core.models.embeddings.embedder import Embedder, Vector
from dataagent_core.models.embeddings.hybrid_score import HybridIndex, MatchScore
from dataagent_core.models.embeddings.index_cache import find_index
from dataagent_core.models.embeddings.match_document import (
    MatchDocument,
    MatchType,
    WeightedPattern,
)
from dataagent_core.models.embeddings.resolve_embedder import resolve_embedder

__all__ = [
    "Embedder",
    "HybridIndex",
    "MatchDocument",
    "MatchScore",
    "MatchType",
    "Vector",
    "WeightedPattern",
    "find_index",
    "resolve_embedder",
]
