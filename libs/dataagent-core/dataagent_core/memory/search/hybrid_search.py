"""Searches memories by words, by meaning and over the graph, and explains each result.

The legs of words, meaning and graph are joined by S2's weights (`fusion.py`). A hybrid search then
adds what stands beside good results, who speaks, and a little for what is recent. A leg that cannot
be had is left out and the result says so: a search fails only when its store does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.memory import Memory, MemoryScope, MemoryType
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.extra_legs import find_dated, find_recent, find_spoken
from dataagent_core.memory.search.found_memory import FoundMemories, FoundMemory, LegName, LegShare
from dataagent_core.memory.search.fusion import Shares, add_leg, fuse
from dataagent_core.memory.search.graph_leg import find_by_graph
from dataagent_core.memory.search.neighbour_leg import find_neighbours
from dataagent_core.memory.search.query_text import ReadQuery, read_asked, read_query
from dataagent_core.memory.search.relevance import rate_relevance
from dataagent_core.memory.search.speaker import find_named, find_speaker
from dataagent_core.memory.search.word_legs import (
    NOT_EMBEDDED,
    SearchedPlace,
    embed_query,
    find_meaning,
    find_words,
)
from dataagent_core.memory.search_index import SearchedTime
from dataagent_core.memory.search_terms import Fusion, SearchTerms, SearchType
from dataagent_core.models.embeddings import Embedder
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

# What each leg finds; more where only some types are wanted.
_LEG_DOCUMENTS: Final = 100
_LEG_DOCUMENTS_OF_TYPES: Final = 400
# Memories that are read, the best first; more where more are asked for.
_READ_MAX: Final = 60
_NAMES_READ_MAX: Final = 24
# What the small legs are worth beside the fused ones, which are worth 1.
_NEIGHBOUR_WEIGHT: Final = 0.4
_SPEAKER_WEIGHT: Final = 0.1
_DATE_WEIGHT: Final = 0.25
_RECENCY_WEIGHT: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """What is searched, and where."""

    text: str
    scopes: Sequence[MemoryScope]
    limit: int
    search_type: SearchType = "hybrid"
    # What was true then; unset: what holds now.
    as_of: datetime | None = None
    types: tuple[MemoryType, ...] = ()
    # In the place of the one set up.
    fusion: Fusion | None = None


@dataclass(slots=True, kw_only=True)
class _Collected:
    """What the legs found, and the memories that were read so far."""

    legs: dict[LegName, dict[str, float]] = field(default_factory=dict[LegName, dict[str, float]])
    memories: dict[str, Memory] = field(default_factory=dict[str, Memory])
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
        found = await self._collect(query, wanted, place)
        shares = fuse(found.legs, terms)
        best = sorted(shares, key=lambda key: -_total(shares, key))
        if not wanted.types:
            best = best[: max(_READ_MAX, 2 * wanted.limit)]
        await self._read(found, best, wanted, place)
        shares = {key: shares[key] for key in best if key in found.memories}
        if wanted.search_type == "hybrid":
            shares = await self._add_small_legs(query, wanted, place, found, shares)
        return FoundMemories(
            results=_rank(query, found.memories, shares, wanted.limit),
            fusion=terms.fusion,
            embedder=found.embedder,
            problem=found.problem,
        )

    async def _collect(
        self, query: ReadQuery, wanted: MemoryQuery, place: SearchedPlace
    ) -> _Collected:
        found = _Collected()
        if wanted.search_type != "semantic":
            words = await find_words(self._memories, query, "memory", place)
            found.legs["keyword"] = words
            # Who speaks in them is left out of what is embedded.
            await self._read(found, list(words)[:_NAMES_READ_MAX], wanted, place)
        if wanted.search_type == "keyword":
            return found
        asked = read_asked(
            query, _list_names(found, query), only_telling=_averages_words(self._embedder)
        )
        meaning, found.problem = await embed_query(asked, self._embedder)
        if meaning is not None:
            near = await find_meaning(self._memories, meaning, "memory", place)
            found.legs["vector"] = near
            found.embedder = meaning.embedder if near else ""
            if not near and found.legs.get("keyword"):
                found.problem = NOT_EMBEDDED.format(embedder=meaning.embedder)
        if wanted.search_type == "hybrid" and self._graph is not None:
            found.legs["graph"], memories = await find_by_graph(
                self._graph, self._memories, query, meaning, place
            )
            _keep(found, memories, wanted, place.time)
        return found

    async def _read(
        self, found: _Collected, keys: Sequence[str], wanted: MemoryQuery, place: SearchedPlace
    ) -> None:
        """Read the memories that are not read yet, and keep those that count."""
        unread = [key for key in keys if key not in found.memories]
        read = await self._memories.get_many(unread) if unread else []
        _keep(found, read, wanted, place.time)

    async def _add_small_legs(
        self,
        query: ReadQuery,
        wanted: MemoryQuery,
        place: SearchedPlace,
        found: _Collected,
        shares: Shares,
    ) -> Shares:
        hits = {key: _total(shares, key) for key in shares}
        gains, beside = await find_neighbours(self._memories, hits, found.memories)
        _keep(found, beside, wanted, place.time)
        gains = {key: gain for key, gain in gains.items() if key in found.memories}
        memories = {key: found.memories[key] for key in found.memories if key in hits | gains}
        legs: tuple[tuple[LegName, dict[str, float], float], ...] = (
            ("neighbour", gains, _NEIGHBOUR_WEIGHT),
            ("speaker", find_spoken(memories.values(), query), _SPEAKER_WEIGHT),
            ("date", find_dated(memories.values(), query), _DATE_WEIGHT),
            (
                "recency",
                find_recent(memories.values(), place.time.as_of or place.time.now),
                _RECENCY_WEIGHT,
            ),
        )
        whole = 1 + sum(weight for _, _, weight in legs)
        shares = {
            key: {
                name: replace(leg, share=leg.share / whole)
                for name, leg in shares.get(key, {}).items()
            }
            for key in memories
        }
        for name, leg, weight in legs:
            add_leg(shares, name, leg, weight / whole)
        return shares


def _keep(
    found: _Collected, memories: Iterable[Memory], wanted: MemoryQuery, time: SearchedTime
) -> None:
    """Keep those that may be seen: a store answers for its legs, and this for all."""
    found.memories |= {
        memory.id: memory
        for memory in memories
        if memory.scope in wanted.scopes
        and (not wanted.types or memory.type in wanted.types)
        and (memory.was_true(time.as_of) if time.as_of else memory.is_current(time.now))
    }


def _list_names(found: _Collected, query: ReadQuery) -> set[str]:
    """List the names in a query of people who say something that shares words with it."""
    speakers = {find_speaker(memory) for memory in found.memories.values()}
    return {word for speaker in speakers for word in find_named(speaker, query.text)}


def _averages_words(embedder: Embedder | None) -> bool:
    return embedder is not None and embedder.name == WordLlamaEmbedder.name


def _total(shares: Shares, key: str) -> float:
    return sum(leg.share for leg in shares[key].values())


def _rank(
    query: ReadQuery, memories: dict[str, Memory], shares: Shares, limit: int
) -> tuple[FoundMemory, ...]:
    """List the best by score; of equal ones the newer first, then by id: always one order."""
    scored = [(_total(shares, key), memories[key]) for key in shares]
    scored.sort(key=lambda one: one[1].id)
    scored.sort(key=lambda one: (one[0], one[1].valid_from), reverse=True)
    found: list[FoundMemory] = []
    for score, memory in scored:
        if len(found) == limit:
            break
        if any(_repeats(memory, one.memory) for one in found):
            continue
        legs = shares[memory.id]
        found.append(
            FoundMemory(
                memory=memory,
                score=score,
                legs=tuple(sorted(legs.values(), key=lambda leg: -leg.share)),
                relevance=rate_relevance(query, memory.content, _read_cosine(legs)),
            )
        )
    return tuple(found)


def _repeats(memory: Memory, better: Memory) -> bool:
    """Say whether a memory is a turn that a better result quotes, or quotes that turn."""
    mine, theirs = memory.source, better.source
    if not mine.session_id or memory.scope != better.scope:
        return False
    if (mine.session_id, mine.seq_first) != (theirs.session_id, theirs.seq_first):
        return False
    return memory.content in better.content or better.content in memory.content


def _read_cosine(legs: Mapping[LegName, LegShare]) -> float:
    return legs["vector"].raw if "vector" in legs else 0.0
