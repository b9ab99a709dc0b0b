"""Keeps the vectors of texts that were embedded before, up to a number of texts."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock

from dataagent_core.config.limits.match import (
    EMBEDDING_TEXTS_KEPT_MAX,
    EMBEDDING_TEXTS_PER_REQUEST_MAX,
)
from dataagent_core.models.embeddings.embedder import Embedder, Vector


class KeptVectors:
    """An embedder that asks another one only for texts it does not have."""

    def __init__(self, embedder: Embedder, texts_max: int = EMBEDDING_TEXTS_KEPT_MAX) -> None:
        self._embedder = embedder
        self._texts_max = texts_max
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        # A process may have an event loop in several threads.
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of all texts; what came before a failure is kept for the next try."""
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        for start in range(0, len(new), EMBEDDING_TEXTS_PER_REQUEST_MAX):
            part = new[start : start + EMBEDDING_TEXTS_PER_REQUEST_MAX]
            vectors = dict(zip(part, await self._embedder.embed(part), strict=True))
            self._keep(vectors)
            found |= vectors
        self._keep(found)
        return [found[text] for text in texts]

    def clear(self) -> None:
        """Forget all texts: one of them may be what somebody wants forgotten, or hold it."""
        with self._lock:
            self._kept.clear()

    def _keep(self, vectors: Mapping[str, Vector]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._kept[text] = vector
                self._kept.move_to_end(text)
            while len(self._kept) > self._texts_max:
                self._kept.popitem(last=False)
