"""The indexes of this process: equal documents are read once, whichever agent or tenant has them.

An index has nothing that is not in its documents, so who gets a shared one sees only their own.
"""

from functools import lru_cache

from dataagent_core.config.limits.match import MATCH_INDEXES_MAX
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.hybrid_score import HybridIndex
from dataagent_core.models.embeddings.match_document import MatchDocument


@lru_cache(MATCH_INDEXES_MAX)
def find_index(documents: tuple[MatchDocument, ...], embedder: Embedder | None) -> HybridIndex:
    """Return the index of these documents; it reads them at its first message."""
    return HybridIndex(documents, embedder)
