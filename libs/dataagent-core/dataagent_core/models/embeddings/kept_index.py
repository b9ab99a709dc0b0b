"""Holds the index of fixed documents: made at the first message, and anew after a failure.

An index made while the embeddings could not be had compares words alone. It is made anew after a
while, so that one failure does not last as long as the process.
"""

import time
from collections.abc import Callable, Sequence

from dataagent_core.config.limits.match import MATCH_RETRY_S
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.hybrid_score import HybridIndex, MatchScore
from dataagent_core.models.embeddings.match_document import MatchDocument


class KeptIndex:
    """Ranks documents for messages; what matchers of skills and sub-agents use."""

    def __init__(
        self,
        documents: Sequence[MatchDocument],
        embedder: Embedder | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._documents = tuple(documents)
        self._embedder = embedder
        self._clock = clock
        self._index: HybridIndex | None = None
        self._retry_at = 0.0

    async def rank(self, message: str) -> list[MatchScore]:
        """Score the documents that anything speaks for, the best first."""
        index = self._index
        if index is None or (index.problem and self._clock() >= self._retry_at):
            index = await HybridIndex.build(self._documents, self._embedder)
            self._index, self._retry_at = index, self._clock() + MATCH_RETRY_S
        return await index.rank(message)
