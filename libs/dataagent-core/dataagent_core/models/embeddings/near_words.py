"""Which words of an index mean nearly the same as a word that is not in it.

"landlord" stands near to "tenant" and "lease", "dockerfile" near to "docker". The vectors are those
of the offline embedder, whatever embeds the texts: asking an address for each word takes too long.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.models.embeddings.vector_index import VectorIndex

# Unrelated words have a cosine below this.
_COSINE_MIN: Final = 0.2
_WORDS_KEPT_MAX: Final = 1_024


class NearWords:
    """The words of an index by their meaning."""

    def __init__(self, words: Sequence[str]) -> None:
        """Embed the words; raises `ConfigurationError` where the weights are not installed."""
        self._words = tuple(words)
        self._vectors = VectorIndex(WordLlamaEmbedder().embed_now(self._words))
        self.find = lru_cache(_WORDS_KEPT_MAX)(self._find)

    def _find(self, word: str) -> tuple[tuple[str, float], ...]:
        """List words and how near each is, up to 1."""
        (vector,) = WordLlamaEmbedder().embed_now([word])
        return tuple(
            (self._words[place], (nearness - _COSINE_MIN) / (1 - _COSINE_MIN))
            for place, nearness in self._vectors.find_nearest(vector)
            if nearness > _COSINE_MIN
        )
