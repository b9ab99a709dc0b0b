"""The leg of the graph: from entities that a query names to memories that rest on them.

Entities named in the query, or near to it in words and meaning, are the seeds; a walk over their
relations finds more; the episodes that mention these are where the memories come from.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import Episode
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore, SourceSpan
from dataagent_core.memory.search.query_text import QueryText
from dataagent_core.memory.search.word_legs import SearchedPlace, find_meaning, find_words
from dataagent_core.memory.search_index import MeaningQuery

_SEEDS_MAX: Final = 6
_HOPS: Final = 2
_NEAR_MAX: Final = 40
_MENTIONS_MAX: Final = 200
_EPISODES_MAX: Final = 40
# An entity that is only near in meaning is a weaker seed than one that shares words.
_MEANING_SEED: Final = 0.5
_COSINE_MIN: Final = 0.55


async def find_by_graph(
    graph: GraphStore,
    memories: MemoryStore,
    query: QueryText,
    meaning: MeaningQuery | None,
    place: SearchedPlace,
) -> tuple[dict[str, float], list[Memory]]:
    """Return how near memories are in the graph, and the memories."""
    seeds = await _find_seeds(graph, query, meaning, place)
    if not seeds:
        return {}, []
    near = await graph.find_near(
        place.scopes, seeds, hops=_HOPS, as_of=place.time.as_of, limit=_NEAR_MAX
    )
    nearness = {one.entity_id: one.nearness for one in near} | seeds
    mentions = await graph.find_mentions(place.scopes, list(nearness), _MENTIONS_MAX)
    episodes: dict[str, float] = defaultdict(float)
    for mention in mentions:
        # An episode that mentions two of the entities says more than one that mentions one.
        episodes[mention.episode_id] += nearness[mention.entity_id]
    best = sorted(episodes, key=lambda each: -episodes[each])[:_EPISODES_MAX]
    return await _find_memories(graph, memories, {each: episodes[each] for each in best}, place)


async def _find_seeds(
    graph: GraphStore, query: QueryText, meaning: MeaningQuery | None, place: SearchedPlace
) -> dict[str, float]:
    few = SearchedPlace(scopes=place.scopes, time=place.time, limit=_SEEDS_MAX)
    words = await find_words(graph, query, "entity", few)
    best = max(words.values(), default=1.0)
    seeds = {entity: score / best for entity, score in words.items()}
    if meaning is not None:
        for entity, cosine in (await find_meaning(graph, meaning, "entity", few)).items():
            if cosine >= _COSINE_MIN:
                seeds[entity] = max(seeds.get(entity, 0.0), cosine * _MEANING_SEED)
    return dict(sorted(seeds.items(), key=lambda item: -item[1])[:_SEEDS_MAX])


async def _find_memories(
    graph: GraphStore, memories: MemoryStore, episodes: Mapping[str, float], place: SearchedPlace
) -> tuple[dict[str, float], list[Memory]]:
    """Find what came from the episodes, and of the others what rests on the same events."""
    found = await memories.find_by_episodes(place.scopes, list(episodes), place.limit)
    scores = {memory.id: episodes[memory.episode_id] for memory in found}
    covered = {memory.episode_id for memory in found}
    if bare := [key for key in episodes if key not in covered]:
        spans = [
            (_make_span(episode), episodes[episode.id])
            for episode in await graph.get_episodes(place.scopes, bare)
            if episode.source.session_id
        ]
        resting = await memories.find_by_spans([span for span, _ in spans], place.limit)
        for memory in resting:
            score = max((score for span, score in spans if _is_in(memory, span)), default=0.0)
            scores[memory.id] = max(scores.get(memory.id, 0.0), score)
        found = [*found, *resting]
    return scores, found


def _make_span(episode: Episode) -> SourceSpan:
    source = episode.source
    return SourceSpan(episode.scope, source.session_id, source.seq_first, source.seq_last)


def _is_in(memory: Memory, span: SourceSpan) -> bool:
    source = memory.source
    return (
        (memory.scope, source.session_id) == (span.scope, span.session_id)
        and source.seq_first <= span.seq_last
        and source.seq_last >= span.seq_first
    )
