"""Searches memories by words, by meaning and over the graph, and explains each result.

The legs of words, meaning and graph are joined by S2's weights (`fusion.py`). A hybrid search then
adds what stands beside good results, who speaks and when, and a little for what is recent. A leg
that cannot be had is left out and the result says so: a search fails only when its store does.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from dataagent_core.errors import StorageError
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.extra_legs import find_dated, find_recent, find_spoken
from dataagent_core.memory.search.found_memory import FoundMemories, LegName
from dataagent_core.memory.search.fusion import FusedScores, fuse
from dataagent_core.memory.search.graph_leg import find_by_graph
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search.neighbour_leg import find_neighbours
from dataagent_core.memory.search.query_text import QueryText, read_asked, read_query
from dataagent_core.memory.search.rank_memories import rank
from dataagent_core.memory.search.read_memories import ReadMemories
from dataagent_core.memory.search.speaker import find_named, find_speaker
from dataagent_core.memory.search.word_legs import (
    NOT_EMBEDDED,
    SearchedPlace,
    embed_query,
    find_meaning,
    find_words,
)
from dataagent_core.memory.search_index import SearchedTime
from dataagent_core.memory.search_terms import SearchTerms
from dataagent_core.models.embeddings import Embedder
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

NO_GRAPH: Final = "The knowledge graph could not be searched: {error}"
LATE_GRAPH: Final = "it took too long."
# Less than a run waits for its recall.
_GRAPH_WAIT_S: Final = 1.2
# What each leg finds; more where only some types are wanted.
_LEG_DOCUMENTS: Final = 100
_LEG_DOCUMENTS_OF_TYPES: Final = 400
# Memories that are read and ranked; more where more are asked for.
_READ_MAX: Final = 50
# Hits whose neighbours gain.
_HITS_MAX: Final = 24
# The best by words, who may be named in the query.
_SPEAKERS_READ_MAX: Final = 24
# What the small legs are worth beside the fused ones, which are worth 1. Chosen on the tuning set
# (`benchmarks/memory_retrieval/tuning`).
_NEIGHBOUR_WEIGHT: Final = 0.4
_SPEAKER_WEIGHT: Final = 0.1
_DATE_WEIGHT: Final = 0.25
_RECENCY_WEIGHT: Final = 0.02


@dataclass(slots=True, kw_only=True)
class _Legs:
    """What the large legs found."""

    scores: dict[LegName, dict[str, float]] = field(default_factory=dict[LegName, dict[str, float]])
    embedder: str = ""
    problem: str = ""


class HybridSearch:
    """The search of one tenant's memories."""

    def __init__(
        self,
        memories: MemoryStore,
        graph: GraphStore | None = None,
        embedder: Embedder | None = None,
        terms: SearchTerms | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._memories = memories
        self._graph = graph
        self._embedder = embedder
        self._terms = terms or SearchTerms()
        self._clock = clock

    async def search(self, wanted: MemoryQuery) -> FoundMemories:
        """Return the memories that fit best, the best first."""
        terms = replace(self._terms, fusion=wanted.fusion or self._terms.fusion)
        query = read_query(wanted.text)
        if not query.words or not wanted.scopes or wanted.limit < 1:
            return FoundMemories(results=(), fusion=terms.fusion)
        place = SearchedPlace(
            scopes=wanted.scopes,
            time=SearchedTime(now=self._clock(), as_of=wanted.as_of),
            limit=_LEG_DOCUMENTS_OF_TYPES if wanted.types else _LEG_DOCUMENTS,
        )
        read = ReadMemories(self._memories, wanted, place.time)
        legs = await self._find(query, wanted, place, read)
        scores = fuse(legs.scores, terms)
        if wanted.search_type == "hybrid":
            await self._add_neighbours(scores, read)
        ranked = await read.read(scores.list_best(_limit_read(wanted)))
        if wanted.search_type == "hybrid":
            _add_small_legs(scores, ranked, query, place.time)
        return FoundMemories(
            results=rank(query, ranked, scores, wanted.limit),
            fusion=terms.fusion,
            embedder=legs.embedder,
            problem=legs.problem,
        )

    async def _find(
        self, query: QueryText, wanted: MemoryQuery, place: SearchedPlace, read: ReadMemories
    ) -> _Legs:
        """Ask the large legs."""
        legs = _Legs()
        if wanted.search_type != "semantic":
            words = await find_words(self._memories, query, "memory", place)
            legs.scores["keyword"] = words
            # Who speaks in them is left out of what is embedded.
            await read.read(list(words)[:_SPEAKERS_READ_MAX])
        if wanted.search_type == "keyword":
            return legs
        averages_words = getattr(self._embedder, "name", "") == WordLlamaEmbedder.name
        asked = read_asked(query, _list_names(query, read), only_telling=averages_words)
        meaning, legs.problem = await embed_query(asked, self._embedder)
        if meaning is not None:
            near = await find_meaning(self._memories, meaning, "memory", place)
            legs.scores["vector"] = near
            legs.embedder = meaning.embedder if near else ""
            if not near and legs.scores.get("keyword"):
                legs.problem = NOT_EMBEDDED.format(embedder=meaning.embedder)
        if wanted.search_type == "hybrid" and self._graph is not None:
            try:
                async with asyncio.timeout(_GRAPH_WAIT_S):
                    legs.scores["graph"], memories = await find_by_graph(
                        self._graph, self._memories, query, meaning, place
                    )
                read.keep(memories)
            except (StorageError, TimeoutError) as error:
                # It may be in another database than the memories.
                missing = NO_GRAPH.format(error=str(error) or LATE_GRAPH)
                legs.problem = f"{legs.problem} {missing}".lstrip()
        return legs

    async def _add_neighbours(self, scores: FusedScores, read: ReadMemories) -> None:
        hits = await read.read(scores.list_best(_HITS_MAX))
        gains = await find_neighbours(
            self._memories, [(memory, scores.score(memory.id)) for memory in hits]
        )
        scores.add_leg("neighbour", gains, _NEIGHBOUR_WEIGHT)


def _limit_read(wanted: MemoryQuery) -> int | None:
    """Say how many memories are read: all that were found where some may be of other types."""
    return None if wanted.types else max(_READ_MAX, 2 * wanted.limit)


def _add_small_legs(
    scores: FusedScores, memories: Sequence[Memory], query: QueryText, time: SearchedTime
) -> None:
    """Add what memories say of themselves: who said them and when."""
    scores.add_leg("speaker", find_spoken(memories, query), _SPEAKER_WEIGHT)
    scores.add_leg("date", find_dated(memories, query), _DATE_WEIGHT)
    scores.add_leg("recency", find_recent(memories, time.as_of or time.now), _RECENCY_WEIGHT)


def _list_names(query: QueryText, read: ReadMemories) -> set[str]:
    """List the names in a query of people who say something that shares words with it."""
    speakers = {find_speaker(memory) for memory in read.by_id.values()}
    return {word for speaker in speakers for word in find_named(speaker, query.text)}
