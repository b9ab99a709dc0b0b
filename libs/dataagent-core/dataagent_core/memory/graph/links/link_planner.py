"""Decides what some episodes of one scope change in the graph; the store keeps it in one piece."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from dataagent_core.config.limits.graph import GRAPH_RELATIONS_MAX
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.entity_names import join_names
from dataagent_core.memory.graph.extraction.extraction import ExtractedEntity, Extraction
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import (
    Entity,
    EntityRelation,
    Episode,
    EpisodeLinks,
    Mention,
)
from dataagent_core.memory.graph.links.known_names import KnownNames
from dataagent_core.memory.graph.links.relation_changes import StatedRelation, change_relations
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search.index_text import index_texts
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.models.embeddings import Embedder

ReadEpisode = tuple[Episode, Extraction]


class LinkPlanner:
    """Plans links of episodes."""

    def __init__(self, store: GraphStore, embedder: Embedder | None, threshold: float) -> None:
        self._store = store
        self._embedder = embedder
        self._threshold = threshold

    async def plan(
        self, scope: MemoryScope, episodes: Sequence[ReadEpisode], now: datetime
    ) -> list[EpisodeLinks]:
        """Return what each of the episodes adds, in their order."""
        names = KnownNames(self._store, self._embedder, scope, self._threshold, now)
        await names.load([one for _, extraction in episodes for one in extraction.entities])
        resolved = [
            [names.resolve(one).id for one in extraction.entities] for _, extraction in episodes
        ]
        relations = await self._load_relations(scope, episodes, resolved, names)
        planned = [
            _plan_relations(episode, extraction, ids, relations, now)
            for (episode, extraction), ids in zip(episodes, resolved, strict=True)
        ]
        entries = await self._index(names)
        links: list[EpisodeLinks] = []
        for (episode, extraction), ids, changed in zip(episodes, resolved, planned, strict=True):
            # Each entity is stored once, before it is mentioned.
            stored = [entries.pop(one) for one in dict.fromkeys(ids) if one in entries]
            links.append(
                EpisodeLinks(
                    episode=replace(episode, state="linked", extracted={}, updated_at=now),
                    entities=stored,
                    relations=changed,
                    mentions=_list_mentions(episode, extraction, ids),
                )
            )
        return links

    async def _load_relations(
        self,
        scope: MemoryScope,
        episodes: Sequence[ReadEpisode],
        resolved: Sequence[Sequence[str]],
        names: KnownNames,
    ) -> dict[str, dict[str, EntityRelation]]:
        """Read the relations of all sources that are known, by source and id."""
        sources = {
            ids[one.source]
            for (_, extraction), ids in zip(episodes, resolved, strict=True)
            for one in extraction.relations
        }
        found: dict[str, dict[str, EntityRelation]] = {source: {} for source in sources}
        for source in sorted(sources):
            if names.get(source).version:
                relations = await self._store.list_relations(
                    [scope], [source], limit=GRAPH_RELATIONS_MAX
                )
                found[source] = {one.id: one for one in relations}
        return found

    async def _index(self, names: KnownNames) -> dict[str, tuple[Entity, IndexEntry]]:
        changed = [names.get(one) for one in names.changed]
        texts = [(join_names(one.name, one.aliases), "") for one in changed]
        entries = await index_texts(texts, self._embedder)
        return {one.id: (one, entry) for one, entry in zip(changed, entries, strict=True)}


def _plan_relations(
    episode: Episode,
    extraction: Extraction,
    ids: Sequence[str],
    known: dict[str, dict[str, EntityRelation]],
    now: datetime,
) -> list[EntityRelation]:
    changed: dict[str, EntityRelation] = {}
    for found in extraction.relations:
        source, target = ids[found.source], ids[found.target]
        if source == target:
            # Two names in the text that are one entity.
            continue
        statement = StatedRelation(
            found=found,
            source_id=source,
            target_id=target,
            new_id=new_id(),
            episode=episode,
            now=now,
        )
        for one in change_relations(statement, list(known[source].values())):
            known[source][one.id] = one
            changed[one.id] = one
    return list(changed.values())


def _list_mentions(episode: Episode, extraction: Extraction, ids: Sequence[str]) -> list[Mention]:
    names: dict[str, dict[str, None]] = {}
    for found, entity_id in zip(extraction.entities, ids, strict=True):
        said = names.setdefault(entity_id, {})
        said |= dict.fromkeys(_list_said(found))
    return [
        Mention(episode_id=episode.id, entity_id=entity_id, names=tuple(said))
        for entity_id, said in names.items()
    ]


def _list_said(found: ExtractedEntity) -> list[str]:
    return [one for one in (found.name, *found.aliases, found.value) if one]
