"""Embeds documents again after the embedder was changed, in the background and in small batches.

What is done is in the store, so whoever starts again goes on where it stopped. Until then vectors
of the old embedder do not count, and a text without one of the new embedder is found by its words.
"""

from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.match import EMBEDDING_TEXTS_PER_REQUEST_MAX
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.memory.search.index_text import mark_empty, read_meaning
from dataagent_core.memory.search_index import SearchIndex
from dataagent_core.models.embeddings import Embedder

# Batches of one call: a chore that runs regularly goes on with the rest.
BATCHES_MAX: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedReport:
    """How many documents were embedded, whether more are left, and why it stopped early."""

    embedded: int
    is_done: bool
    problem: str = ""


async def reembed(
    index: SearchIndex, embedder: Embedder, *, batches_max: int = BATCHES_MAX
) -> ReembedReport:
    """Embed the documents that have no vector of this embedder."""
    embedded = 0
    for _ in range(batches_max):
        batch = await index.list_unembedded(embedder.name, EMBEDDING_TEXTS_PER_REQUEST_MAX)
        if not batch:
            return ReembedReport(embedded=embedded, is_done=True)
        try:
            vectors = await embedder.embed([read_meaning(text) for _, _, text in batch])
        except (ModelUnavailableError, ConfigurationError) as error:
            return ReembedReport(embedded=embedded, is_done=False, problem=str(error))
        keyed = zip((key for _, key, _ in batch), map(mark_empty, vectors), strict=True)
        await index.save_vectors(embedder.name, dict(keyed))
        embedded += len(batch)
    return ReembedReport(embedded=embedded, is_done=False)
