"""Finds which names of some episodes are entities of the graph, and makes entities of the others.

Episodes of one scope are looked at together: a name that is new in the first is known in the
second. A name is compared by itself, then as a part of a person's name, then by its vector.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from dataagent_core.config.limits.graph import ENTITY_ALIASES_MAX
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.extraction.extraction import (
    CONCEPT,
    DATE,
    NUMBER,
    SELF_NAME,
    ExtractedEntity,
)
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import Entity
from dataagent_core.memory.graph.links.new_vectors import NewVectors
from dataagent_core.memory.graph.links.same_entity import explain_same, is_part_of_name
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search.index_text import index_texts
from dataagent_core.memory.search_index import IndexEntry, Match, MeaningQuery, SearchedTime
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.models.embeddings import Embedder, Vector

_CANDIDATES_MAX: Final = 5
_PART: Final = "part of the only such name"
_VALUE: Final = "the same in one form"


class KnownNames:
    """The entities of a scope that some episodes mention, and which of them are new or changed."""

    def __init__(
        self,
        store: GraphStore,
        embedder: Embedder | None,
        scope: MemoryScope,
        threshold: float,
        now: datetime,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._scope = scope
        self._threshold = threshold
        self._now = now
        self._entities: dict[str, Entity] = {}
        self._by_name: dict[str, list[str]] = {}
        # By the first and the last word of a name.
        self._by_part: dict[str, dict[str, None]] = {}
        self._vectors: dict[str, Vector] = {}
        self._near: dict[str, list[tuple[str, float]]] = {}
        self._new_vectors = NewVectors()
        self.changed: dict[str, None] = {}

    async def load(self, names: Sequence[ExtractedEntity]) -> None:
        """Read from the graph what may be one of these names."""
        wanted = {fold_text(each): each for one in names for each in _list_names(one)}
        for entity in await self._store.find_named([self._scope], list(wanted.values())):
            self._keep(entity)
        known_ids = sorted({one.known_id for one in names if one.known_id} - self._entities.keys())
        for entity in await self._store.get_entities([self._scope], known_ids):
            self._keep(entity)
        new = {fold_text(one.name): one for one in names if self._find_same(one, {}) is None}
        await self._load_near(list(new.values()))

    def resolve(self, name: ExtractedEntity) -> Entity:
        """Return the entity of a name; it is made if there is none."""
        similarities = self._compare(name)
        found = self._find_same(name, similarities)
        if found is None:
            return self._make(name)
        entity, reason = found
        return self._learn(entity, name, reason)

    def get(self, entity_id: str) -> Entity:
        """Return an entity as it is by now."""
        return self._entities[entity_id]

    def _find_same(
        self, name: ExtractedEntity, similarities: dict[str, float]
    ) -> tuple[Entity, str] | None:
        for each in _list_names(name):
            for entity_id in self._by_name.get(fold_text(each), []):
                if explain_same(name, self._entities[entity_id], 1.0, self._threshold):
                    return self._entities[entity_id], ""
        longer = self._by_part.get(fold_text(name.name), {})
        parts = [one for one in longer if is_part_of_name(name, self._entities[one])]
        if len(parts) == 1:
            return self._entities[parts[0]], _PART
        for entity_id in sorted(similarities, key=lambda one: (-similarities[one], one)):
            entity = self._entities[entity_id]
            reason = explain_same(name, entity, similarities[entity_id], self._threshold)
            if reason:
                return entity, reason
        return None

    def _compare(self, name: ExtractedEntity) -> dict[str, float]:
        key = fold_text(name.name)
        similarities = dict(self._near.get(key, []))
        if key in self._vectors:
            similarities |= self._new_vectors.find_near(self._vectors[key], self._threshold)
        if name.known_id in self._entities:
            # A model says so, which is as good as a vector.
            similarities[name.known_id] = 1.0
        return similarities

    def _make(self, name: ExtractedEntity) -> Entity:
        entity = Entity(
            id=new_id(),
            scope=self._scope,
            name=name.name,
            type=name.type,
            created_at=self._now,
            updated_at=self._now,
            attributes={"value": name.value} if name.value else {},
            aliases={name.value: _VALUE} if name.value and name.value != name.name else {},
        )
        vector = self._vectors.get(fold_text(name.name))
        if vector is not None:
            self._new_vectors.add(entity.id, vector)
        self._keep(entity)
        self.changed[entity.id] = None
        return self._learn(entity, name, "")

    def _learn(self, entity: Entity, name: ExtractedEntity, reason: str) -> Entity:
        """Keep what is new of an entity: another name, or its type."""
        learned = entity
        known = {fold_text(each) for each in (entity.name, *entity.aliases)}
        aliases = {
            alias: reason or "said to be the same"
            for alias in (name.name, *name.aliases)
            if fold_text(alias) not in known
        }
        if aliases and len(entity.aliases) < ENTITY_ALIASES_MAX:
            learned = replace(learned, aliases={**entity.aliases, **aliases})
        if entity.type == CONCEPT and name.type not in {CONCEPT, DATE, NUMBER}:
            learned = replace(learned, type=name.type)
        if learned != entity:
            learned = replace(learned, updated_at=self._now)
            self._keep(learned)
            self.changed[entity.id] = None
        return learned

    def _keep(self, entity: Entity) -> None:
        self._entities[entity.id] = entity
        words = fold_text(entity.name).split()
        for part in {words[0], words[-1]} if words else ():
            self._by_part.setdefault(part, {})[entity.id] = None
        for each in (entity.name, *entity.aliases):
            ids = self._by_name.setdefault(fold_text(each), [])
            if entity.id not in ids:
                ids.append(entity.id)

    async def _load_near(self, new: Sequence[ExtractedEntity]) -> None:
        compared = [
            one
            for one in new
            if one.type not in {DATE, NUMBER} and fold_text(one.name) != fold_text(SELF_NAME)
        ]
        if not compared:
            return
        entries = await index_texts([(one.name, "") for one in compared], self._embedder)
        near = await asyncio.gather(
            *(self._find_near(one, entry) for one, entry in zip(compared, entries, strict=True))
        )
        ids = sorted(
            {entity_id for found in near for entity_id, _ in found} - self._entities.keys()
        )
        for entity in await self._store.get_entities([self._scope], ids):
            self._keep(entity)
        for one, entry, found in zip(compared, entries, near, strict=True):
            key = fold_text(one.name)
            self._near[key] = [each for each in found if each[0] in self._entities]
            if entry.vector is not None and any(entry.vector):
                self._vectors[key] = entry.vector

    async def _find_near(self, name: ExtractedEntity, entry: IndexEntry) -> list[tuple[str, float]]:
        time = SearchedTime(now=self._now)
        near: list[Match] = []
        if entry.vector is not None and any(entry.vector):
            query = MeaningQuery(embedder=entry.embedder, vector=entry.vector)
            near = await self._store.match_vector(
                [self._scope], query, ["entity"], time, _CANDIDATES_MAX
            )
        found = {one.key.id: one.score for one in near if one.score >= self._threshold}
        if " " not in name.name and name.name.isascii():
            # It may be a part of a name that is known.
            words = await self._store.match_words(
                [self._scope], list(entry.words), ["entity"], time, _CANDIDATES_MAX
            )
            found = {one.key.id: 0.0 for one in words} | found
        return list(found.items())


def _list_names(name: ExtractedEntity) -> Iterable[str]:
    return (name.name, name.value) if name.value else (name.name,)
