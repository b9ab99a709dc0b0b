"""The leg of the graph: from entities that a query names to memories that rest on them.

Entities named in the query, or near to it in words and meaning, are the seeds; a walk over their
relations finds more; the episodes that mention these are where the memories come from.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore, SourceSpan
from dataagent_core.memory.search.query_text import ReadQuery
from dataagent_core.memory.search.word_legs import SearchedPlace, find_meaning, find_words
from dataagent_core.memory.search_index import MeaningQuery

_SEEDS_MAX: Final = 6
_HOPS: Final = 2
_NEAR_MAX: Final = 40
_MENTIONS_MAX: Final = 200
_EPISODES_MAX: Final = 60
# An entity that is only near in meaning is a weaker seed than one that shares words.
_MEANING_SEED: Final = 0.5
_COSINE_MIN: Final = 0.55


async def find_by_graph(
    graph: GraphStore,
    memories: MemoryStore,
    query: ReadQuery,
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
    graph: GraphStore, query: ReadQuery, meaning: MeaningQuery | None, place: SearchedPlace
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
    found = await memories.find_by_episodes(place.scopes, list(episodes), place.limit)
    scores = {memory.id: episodes.get(memory.episode_id, 0.0) for memory in found}
    read = await graph.get_episodes(place.scopes, list(episodes))
    spans = {
        (episode.source.session_id, seq): episodes[episode.id]
        for episode in read
        if episode.source.session_id
        for seq in (episode.source.seq_first, episode.source.seq_last)
    }
    resting = await memories.find_by_spans(
        [
            SourceSpan(
                episode.scope,
                episode.source.session_id,
                episode.source.seq_first,
                episode.source.seq_last,
            )
            for episode in read
            if episode.source.session_id
        ],
        place.limit,
    )
    for memory in resting:
        source = memory.source
        score = max(
            spans.get((source.session_id, source.seq_first), 0.0),
            spans.get((source.session_id, source.seq_last), 0.0),
        )
        scores[memory.id] = max(scores.get(memory.id, 0.0), score)
    both = {memory.id: memory for memory in (*found, *resting)}
    return {key: score for key, score in scores.items() if score > 0}, list(both.values())
