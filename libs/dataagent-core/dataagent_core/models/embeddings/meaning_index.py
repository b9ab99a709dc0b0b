"""How near each document is to a message in meaning: its description, and its nearest phrase."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dataagent_core.config.limits.match import (
    MATCH_DESCRIPTION_CHARS_MAX,
    MATCH_PHRASE_CHARS_MAX,
    MATCH_PHRASES_MAX,
)
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.match_document import MatchDocument
from dataagent_core.models.embeddings.message_ids import remove_ids
from dataagent_core.models.embeddings.vector_index import VectorIndex


@dataclass(slots=True)
class Nearness:
    """How near a document is to a message, from 0 to 1 each."""

    description: float = 0.0
    # Of the name or phrase that is nearest.
    phrase: float = 0.0
    # What is nearest of all.
    text: str = ""


@dataclass(frozen=True, slots=True)
class MeaningIndex:
    """The vectors of documents; `collect` gives the nearness to a message by document number."""

    embedder: Embedder
    # Document numbers and texts, as the vectors stand in the two indexes.
    descriptions: Sequence[tuple[int, str]]
    phrases: Sequence[tuple[int, str]]
    description_vectors: VectorIndex
    phrase_vectors: VectorIndex

    @classmethod
    async def build(cls, documents: Sequence[MatchDocument], embedder: Embedder) -> Self:
        """Embed what is compared by meaning; raises what the embedder raises."""
        compared = [(n, one) for n, one in enumerate(documents) if one.type != "keyword"]
        descriptions = [(n, one.description[:MATCH_DESCRIPTION_CHARS_MAX]) for n, one in compared]
        phrases = [(n, text) for n, one in compared for text in _list_phrases(one)]
        vectors = await embedder.embed([text for _, text in (*descriptions, *phrases)])
        return cls(
            embedder,
            descriptions,
            phrases,
            await asyncio.to_thread(VectorIndex, vectors[: len(descriptions)]),
            await asyncio.to_thread(VectorIndex, vectors[len(descriptions) :]),
        )

    async def collect(self, message: str) -> dict[int, Nearness]:
        """Compare a message; raises what the embedder raises."""
        text = remove_ids(message)
        if not text:
            return {}
        (query,) = await self.embedder.embed([text])
        found: dict[int, Nearness] = defaultdict(Nearness)
        for place, nearness in self.phrase_vectors.find_nearest(query):
            number, text = self.phrases[place]
            one = found[number]
            if nearness > one.phrase:
                one.phrase, one.text = nearness, text
        for place, nearness in self.description_vectors.find_nearest(query):
            number, text = self.descriptions[place]
            one = found[number]
            one.description = nearness
            if nearness > one.phrase:
                one.text = text
        return dict(found)


def _list_phrases(document: MatchDocument) -> list[str]:
    phrases = [text[:MATCH_PHRASE_CHARS_MAX] for text in document.phrases[:MATCH_PHRASES_MAX]]
    name = document.name.replace("-", " ").replace("_", " ")
    return [name, *phrases] if name else phrases
