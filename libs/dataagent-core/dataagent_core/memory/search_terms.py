"""The terms of a hybrid search, with S2's names and numbers."""

from dataclasses import dataclass
from typing import Literal

SearchType = Literal["semantic", "keyword", "hybrid"]
Fusion = Literal["score", "rrf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTerms:
    """How the legs of a search count. Score fusion is the default: it measured better than RRF."""

    top_k: int = 10
    vector_weight: float = 0.4
    keyword_weight: float = 0.3
    graph_weight: float = 0.3
    rrf_k: int = 60
    fusion: Fusion = "score"
