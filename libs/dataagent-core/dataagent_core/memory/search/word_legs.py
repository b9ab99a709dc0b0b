"""The legs of a search that ask the index: words by BM25, and meaning by the angle of vectors."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from dataagent_core.config.limits.match import MATCH_WAIT_S_MAX
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search.query_text import QueryText
from dataagent_core.memory.search_index import (
    DocumentKind,
    MeaningQuery,
    SearchedTime,
    SearchIndex,
)
from dataagent_core.models.embeddings import Embedder

# A search does not wait longer for the meaning of its query.
_EMBED_WAIT_S: Final = MATCH_WAIT_S_MAX

NOT_EMBEDDED = "No text here has a vector of {embedder} yet: words alone were compared."
LATE = "The embedder {embedder} took more than {wait_s:g} s: words alone were compared."
BROKEN_VECTOR = "The embedder {embedder} answered with no usable vector: words alone were compared."


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedPlace:
    """Where a leg looks: in which scopes, at which time, for how many documents."""

    scopes: Sequence[MemoryScope]
    time: SearchedTime
    limit: int


async def find_words(
    index: SearchIndex, query: QueryText, kind: DocumentKind, place: SearchedPlace
) -> dict[str, float]:
    """Find documents of a kind by words."""
    if not query.words:
        return {}
    found = await index.match_words(place.scopes, query.words, (kind,), place.time, place.limit)
    return {match.key.id: match.score for match in found}


async def find_meaning(
    index: SearchIndex, meaning: MeaningQuery, kind: DocumentKind, place: SearchedPlace
) -> dict[str, float]:
    """Find documents of a kind by meaning; those that point the other way do not count."""
    found = await index.match_vector(place.scopes, meaning, (kind,), place.time, place.limit)
    return {match.key.id: match.score for match in found if match.score > 0}


async def embed_query(text: str, embedder: Embedder | None) -> tuple[MeaningQuery | None, str]:
    """Embed what is searched, or say why that cannot be done."""
    if embedder is None or not text:
        return None, ""
    try:
        async with asyncio.timeout(_EMBED_WAIT_S):
            vectors = await embedder.embed([text])
    except (ModelUnavailableError, ConfigurationError) as error:
        return None, str(error)
    except TimeoutError:
        return None, LATE.format(embedder=embedder.name, wait_s=_EMBED_WAIT_S)
    if len(vectors) != 1 or not vectors[0] or not all(map(isfinite, vectors[0])):
        return None, BROKEN_VECTOR.format(embedder=embedder.name)
    if not any(vectors[0]):
        return None, ""
    return MeaningQuery(embedder=embedder.name, vector=vectors[0]), ""
