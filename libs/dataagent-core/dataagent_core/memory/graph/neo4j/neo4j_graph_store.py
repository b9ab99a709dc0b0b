"""The graph store in Neo4j: each call is one transaction that sees the scopes it names."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from neo4j import AsyncManagedTransaction

from dataagent_core.config.limits.graph import GRAPH_HOPS_MAX, GRAPH_PAGE_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import (
    Community,
    Entity,
    EntityRelation,
    Episode,
    EpisodeLinks,
    EpisodeState,
    Mention,
    NearEntity,
)
from dataagent_core.memory.graph.neo4j import (
    communities as community_nodes,
)
from dataagent_core.memory.graph.neo4j import (
    documents,
    removal,
)
from dataagent_core.memory.graph.neo4j import (
    entities as entity_nodes,
)
from dataagent_core.memory.graph.neo4j import (
    episodes as episode_nodes,
)
from dataagent_core.memory.graph.neo4j import (
    links as linking,
)
from dataagent_core.memory.graph.neo4j import (
    relations as relation_edges,
)
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.proof import (
    list_own_scopes,
    list_scopes,
    scan_user,
)
from dataagent_core.memory.graph.neo4j.query.run_query import run_query
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView, keys_of
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import (
    DocumentKey,
    DocumentKind,
    IndexEntry,
    Match,
    MeaningQuery,
    SearchedTime,
)
from dataagent_core.models.embeddings import Vector
from dataagent_core.session.state import now

T = TypeVar("T")
Work = Callable[[ScopeView], Awaitable[T]]


class Neo4jGraphStore(GraphStore):
    """The graph of one tenant."""

    def __init__(
        self,
        database: Neo4jDatabase,
        tenant_id: str,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._database = database
        self._tenant_id = tenant_id
        self._clock = clock

    async def add_episode(self, episode: Episode, entry: IndexEntry) -> Episode:
        (added,) = await self.add_episodes([(episode, entry)])
        return added

    async def add_episodes(self, episodes: Sequence[tuple[Episode, IndexEntry]]) -> list[Episode]:
        scopes = [episode.scope for episode, _ in episodes]
        return await self._store(scopes, lambda view: episode_nodes.add_episodes(view, episodes))

    async def get_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> list[Episode]:
        return await self._read(scopes, lambda view: episode_nodes.read_episodes(view, ids))

    async def save_episode(self, episode: Episode) -> Episode:
        async def save(view: ScopeView) -> Episode:
            await view.lock()
            return (await episode_nodes.save_episodes(view, [episode]))[0]

        return await self._store([episode.scope], save)

    async def list_episodes(
        self,
        scopes: Sequence[MemoryScope],
        *,
        state: EpisodeState | None = None,
        entity_id: str | None = None,
        session_id: str | None = None,
        limit: int,
        after: str | None = None,
    ) -> list[Episode]:
        return await self._read(
            scopes,
            lambda view: episode_nodes.list_episodes(
                view,
                state=state,
                entity_id=entity_id,
                session_id=session_id,
                limit=min(limit, GRAPH_PAGE_MAX),
                after=after,
            ),
        )

    async def find_unfinished(
        self, limit: int, *, tried_before: datetime | None = None
    ) -> list[Episode]:
        return await self._read(
            [], lambda view: episode_nodes.find_unfinished(view, limit, tried_before)
        )

    async def find_episodes_with(
        self, scopes: Sequence[MemoryScope], text: str, limit: int
    ) -> list[str]:
        return await self._read(
            scopes, lambda view: episode_nodes.find_episodes_with(view, text, limit)
        )

    async def link(
        self,
        episode: Episode,
        entities: Sequence[tuple[Entity, IndexEntry]],
        relations: Sequence[EntityRelation],
        mentions: Sequence[Mention],
    ) -> Episode:
        links = EpisodeLinks(
            episode=episode, entities=entities, relations=relations, mentions=mentions
        )
        return (await self.link_many([links]))[0]

    async def link_many(self, links: Sequence[EpisodeLinks]) -> list[Episode]:
        scopes = [one.episode.scope for one in links]
        return await self._store(scopes, lambda view: linking.link_episodes(view, links))

    async def get_entities(self, scopes: Sequence[MemoryScope], ids: Sequence[str]) -> list[Entity]:
        return await self._read(scopes, lambda view: entity_nodes.read_entities(view, ids))

    async def find_named(self, scopes: Sequence[MemoryScope], names: Sequence[str]) -> list[Entity]:
        return await self._read(scopes, lambda view: entity_nodes.find_named(view, names))

    async def list_entities(
        self,
        scopes: Sequence[MemoryScope],
        *,
        type: str | None = None,  # noqa: A002 (S2's name of the property)
        community_id: str | None = None,
        limit: int,
        after: str | None = None,
    ) -> list[Entity]:
        return await self._read(
            scopes,
            lambda view: entity_nodes.list_entities(
                view,
                entity_type=type,
                community_id=community_id,
                limit=min(limit, GRAPH_PAGE_MAX),
                after=after,
            ),
        )

    async def count_entities(self, scopes: Sequence[MemoryScope]) -> tuple[int, int]:
        return await self._read(scopes, entity_nodes.count_entities)

    async def find_linked(
        self, scopes: Sequence[MemoryScope], community_id: str | None, limit: int
    ) -> list[Entity]:
        return await self._read(
            scopes,
            lambda view: entity_nodes.find_linked(view, community_id, min(limit, GRAPH_PAGE_MAX)),
        )

    async def save_entity(self, entity: Entity, entry: IndexEntry | None = None) -> Entity:
        async def save(view: ScopeView) -> Entity:
            await view.lock()
            return (await entity_nodes.save_entities(view, [(entity, entry)]))[0]

        return await self._store([entity.scope], save)

    async def list_relations(
        self,
        scopes: Sequence[MemoryScope],
        entity_ids: Sequence[str],
        *,
        as_of: datetime | None = None,
        with_past: bool = False,
        limit: int,
    ) -> list[EntityRelation]:
        return await self._read(
            scopes,
            lambda view: relation_edges.list_relations(
                view, entity_ids, as_of=as_of, now=self._clock(), with_past=with_past, limit=limit
            ),
        )

    async def find_near(
        self,
        scopes: Sequence[MemoryScope],
        seeds: Mapping[str, float],
        *,
        hops: int,
        as_of: datetime | None = None,
        limit: int,
    ) -> list[NearEntity]:
        return await self._read(
            scopes,
            lambda view: relation_edges.find_near(
                view,
                seeds,
                hops=min(hops, GRAPH_HOPS_MAX),
                as_of=as_of,
                now=self._clock(),
                limit=limit,
            ),
        )

    async def find_mentions(
        self, scopes: Sequence[MemoryScope], entity_ids: Sequence[str], limit: int
    ) -> list[Mention]:
        return await self._read(
            scopes, lambda view: entity_nodes.find_mentions(view, "n", entity_ids, limit)
        )

    async def list_mentioned(
        self, scopes: Sequence[MemoryScope], episode_ids: Sequence[str], limit: int
    ) -> list[Mention]:
        return await self._read(
            scopes, lambda view: entity_nodes.find_mentions(view, "e", episode_ids, limit)
        )

    async def read_members(self, scope: MemoryScope) -> Mapping[str, str]:
        return await self._read([scope], community_nodes.read_members)

    async def count_edges(self, scope: MemoryScope) -> list[tuple[str, str, float]]:
        return await self._read(
            [scope], lambda view: relation_edges.count_edges(view, self._clock())
        )

    async def save_communities(
        self, scope: MemoryScope, communities: Sequence[tuple[Community, Sequence[str]]]
    ) -> None:
        await self._store([scope], lambda view: community_nodes.save_communities(view, communities))

    async def list_communities(self, scopes: Sequence[MemoryScope]) -> list[Community]:
        return await self._read(scopes, community_nodes.list_communities)

    async def remove_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> Mapping[str, int]:
        return await self._write(scopes, lambda view: removal.remove_episodes(view, ids))

    async def remove_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str
    ) -> Mapping[str, int]:
        return await self._write(scopes, lambda view: removal.remove_entity(view, entity_id))

    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        return await self._read([], lambda view: list_scopes(view, user_id))

    async def list_own_scopes(self, project_id: str | None = None) -> list[MemoryScope]:
        return await self._read([], lambda view: list_own_scopes(view, project_id))

    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        return await self._write([], lambda view: removal.remove_user(view, user_id))

    async def query(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Mapping[str, object]]:
        keys = list(keys_of(scopes, self._tenant_id))
        return await run_query(self._database, keys, query, limit)

    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        return await self._read([], lambda view: scan_user(view, text, user_id))

    async def read_texts(self, keys: Sequence[DocumentKey]) -> Mapping[DocumentKey, str]:
        return await self._read([], lambda view: documents.read_texts(view, keys))

    async def match_words(
        self,
        scopes: Sequence[MemoryScope],
        words: Sequence[str],
        kinds: Sequence[DocumentKind],
        time: SearchedTime,
        limit: int,
    ) -> list[Match]:
        return await self._read(
            scopes, lambda view: documents.match_words(view, words, kinds, time, limit)
        )

    async def match_vector(
        self,
        scopes: Sequence[MemoryScope],
        query: MeaningQuery,
        kinds: Sequence[DocumentKind],
        time: SearchedTime,
        limit: int,
    ) -> list[Match]:
        return await self._read(
            scopes, lambda view: documents.match_vector(view, query, kinds, time, limit)
        )

    async def list_unembedded(
        self, embedder: str, limit: int
    ) -> list[tuple[MemoryScope, DocumentKey, str]]:
        return await self._read([], lambda view: documents.list_unembedded(view, embedder, limit))

    async def save_vectors(self, embedder: str, vectors: Mapping[DocumentKey, Vector]) -> None:
        await self._write([], lambda view: documents.save_vectors(view, embedder, vectors))

    async def _read(self, scopes: Sequence[MemoryScope], work: Work[T]) -> T:
        return await self._database.read(self._with_view(scopes, work))

    async def _write(self, scopes: Sequence[MemoryScope], work: Work[T]) -> T:
        return await self._database.write(self._with_view(scopes, work))

    async def _store(self, scopes: Sequence[MemoryScope], work: Work[T]) -> T:
        for scope in scopes:
            if scope.tenant_id != self._tenant_id:
                raise ValidationError(
                    f"What is of the tenant {scope.tenant_id!r} cannot be stored in the graph of "
                    f"{self._tenant_id!r}."
                )
        return await self._write(scopes, work)

    def _with_view(
        self, scopes: Sequence[MemoryScope], work: Work[T]
    ) -> Callable[[AsyncManagedTransaction], Awaitable[T]]:
        keys = keys_of(scopes, self._tenant_id)

        async def run(transaction: AsyncManagedTransaction) -> T:
            return await work(ScopeView(transaction, self._tenant_id, keys))

        return run
