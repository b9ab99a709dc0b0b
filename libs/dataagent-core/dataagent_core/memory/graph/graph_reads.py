"""What the console and the tools read of a graph: an entity, its timeline, the whole from afar."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from dataagent_core.config.limits.graph import GRAPH_PAGE_MAX, GRAPH_RELATIONS_MAX
from dataagent_core.errors import NotFoundError
from dataagent_core.memory.graph.graph_service import (
    CommunityLink,
    EntityView,
    GraphNodes,
    GraphOverview,
    TimelineItem,
)
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import Entity, Episode
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search.index_text import index_text
from dataagent_core.memory.search_index import MeaningQuery, SearchedTime
from dataagent_core.models.embeddings import Embedder

_EPISODES_SHOWN: Final = 50
_TIMELINE_TEXT_CHARS: Final = 300
_COSINE_MIN: Final = 0.35


async def get_entity(store: GraphStore, scopes: Sequence[MemoryScope], entity_id: str) -> Entity:
    """Return an entity of one of the scopes."""
    found = await store.get_entities(scopes, [entity_id])
    if not found:
        raise NotFoundError(f"There is no entity {entity_id!r} in your memory.")
    return found[0]


async def find_entities(
    store: GraphStore,
    embedder: Embedder | None,
    scopes: Sequence[MemoryScope],
    query: str,
    *,
    now: datetime,
    limit: int,
) -> list[Entity]:
    """Return entities by name, then by words, then by meaning, each once."""
    time = SearchedTime(now=now)
    found = {one.id: one for one in await store.find_named(scopes, [query])}
    entry = await index_text(query, embedder)
    words = await store.match_words(scopes, list(entry.words), ["entity"], time, limit)
    ids = [one.key.id for one in words]
    if entry.vector is not None:
        meaning = MeaningQuery(embedder=entry.embedder, vector=entry.vector)
        near = await store.match_vector(scopes, meaning, ["entity"], time, limit)
        ids += [one.key.id for one in near if one.score >= _COSINE_MIN]
    found |= {one.id: one for one in await store.get_entities(scopes, ids) if one.id not in found}
    return list(found.values())[:limit]


async def read_entity(
    store: GraphStore, scopes: Sequence[MemoryScope], entity_id: str, as_of: datetime | None
) -> EntityView:
    """Return an entity with what is said of it."""
    entity = await get_entity(store, scopes, entity_id)
    relations = await store.list_relations(
        scopes, [entity_id], as_of=as_of, with_past=as_of is None, limit=GRAPH_RELATIONS_MAX
    )
    ends = {end for one in relations for end in (one.source_id, one.target_id)} - {entity_id}
    return EntityView(
        entity=entity,
        relations=tuple(relations),
        neighbours=tuple(await store.get_entities(scopes, sorted(ends))),
        episodes=tuple(await _read_mentioning(store, scopes, entity_id, _EPISODES_SHOWN)),
    )


async def read_timeline(
    store: GraphStore, scopes: Sequence[MemoryScope], entity_id: str, limit: int
) -> list[TimelineItem]:
    """Return what began, ended and was said of an entity, the oldest first; the newest of many."""
    await get_entity(store, scopes, entity_id)
    relations = await store.list_relations(
        scopes, [entity_id], with_past=True, limit=GRAPH_RELATIONS_MAX
    )
    items = [
        TimelineItem(at=at, kind=kind, text=one.fact, relation_id=one.id, episode_id=one.episode_id)
        for one in relations
        if one.retired_at is None
        for at, kind in ((one.valid_from, "began"), (one.valid_to, "ended"))
        if at is not None
    ]
    items += [
        TimelineItem(
            at=one.created_at,
            kind="mentioned",
            text=one.content[:_TIMELINE_TEXT_CHARS],
            episode_id=one.id,
        )
        for one in await _read_mentioning(store, scopes, entity_id, min(limit, GRAPH_PAGE_MAX))
    ]
    # `began` stands before `ended` where both are at one moment.
    items.sort(key=lambda one: (one.at, one.kind, one.text))
    return items[-limit:] if limit > 0 else []


async def read_overview(
    store: GraphStore, scopes: Sequence[MemoryScope], limit: int
) -> GraphOverview:
    """Return the largest communities and what joins them."""
    communities = (await store.list_communities(scopes))[: max(limit, 0)]
    shown = {one.id for one in communities}
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for scope in {one.scope for one in communities}:
        members = await store.read_members(scope)
        for one, other, weight in await store.count_edges(scope):
            ends = sorted({members.get(one, ""), members.get(other, "")} & shown)
            if len(ends) > 1:
                weights[ends[0], ends[1]] += weight
    entity_count, alone_count = await store.count_entities(scopes)
    return GraphOverview(
        communities=tuple(communities),
        links=tuple(
            CommunityLink(source_id=one, target_id=other, weight=weight)
            for (one, other), weight in sorted(weights.items())
        ),
        entity_count=entity_count,
        alone_count=alone_count,
    )


async def read_nodes(
    store: GraphStore, scopes: Sequence[MemoryScope], community_id: str | None, limit: int
) -> GraphNodes:
    """Return entities, those of most relations first, and the relations among them."""
    entities = await store.find_linked(scopes, community_id, min(max(limit, 0), GRAPH_PAGE_MAX))
    shown = {one.id for one in entities}
    relations = await store.list_relations(scopes, list(shown), limit=GRAPH_RELATIONS_MAX)
    return GraphNodes(
        entities=tuple(entities),
        relations=tuple(
            one for one in relations if one.source_id in shown and one.target_id in shown
        ),
    )


async def _read_mentioning(
    store: GraphStore, scopes: Sequence[MemoryScope], entity_id: str, limit: int
) -> list[Episode]:
    return await store.list_episodes(scopes, entity_id=entity_id, limit=limit)
