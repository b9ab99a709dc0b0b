"""The graph store in an SQL database: a person's file, or a server's.

The statements are in the modules beside this one; here each of them gets its connection, its scopes
and its bound. What a text is found by is in the index that memories use, too (`memory/sql/`).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import ClassVar, TypeVar

from dataagent_core.config.limits.graph import (
    GRAPH_HOPS_MAX,
    GRAPH_PAGE_MAX,
    GRAPH_RELATIONS_MAX,
)
from dataagent_core.errors import ConflictError, NotFoundError
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
from dataagent_core.memory.graph.query.query_parser import parse_query
from dataagent_core.memory.graph.sql import (
    community_rows,
    entity_rows,
    episode_rows,
    relation_rows,
    removal_rows,
)
from dataagent_core.memory.graph.sql.document_texts import read_texts
from dataagent_core.memory.graph.sql.graph_rows import EPISODE_COLUMNS, make_episode_row
from dataagent_core.memory.graph.sql.graph_view import GraphView
from dataagent_core.memory.graph.sql.link_rows import link_rows
from dataagent_core.memory.graph.sql.query_rows import run_query
from dataagent_core.memory.graph.sql.text_scan import scan_text
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import (
    DocumentKey,
    DocumentKind,
    IndexEntry,
)
from dataagent_core.memory.sql.document_span import NEVER_US, DocumentSpan
from dataagent_core.memory.sql.index_removal import remove_user_index
from dataagent_core.memory.sql.index_state import note_change
from dataagent_core.memory.sql.index_writes import index_document, unindex_documents
from dataagent_core.memory.sql.memory_database import MemoryDatabase
from dataagent_core.memory.sql.scope_numbers import find_scopes, list_user_scopes, make_scope
from dataagent_core.memory.sql.sql_search_index import SqlSearchIndex
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import insert_ignore

T = TypeVar("T")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class SqlGraphStore(SqlSearchIndex, GraphStore):
    """The graph of one tenant."""

    kinds: ClassVar[tuple[DocumentKind, ...]] = ("episode", "entity")

    def __init__(
        self,
        database: MemoryDatabase,
        tenant_id: str,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        super().__init__(database, tenant_id)
        self._clock = clock

    async def add_episode(self, episode: Episode, entry: IndexEntry) -> Episode:
        (added,) = await self.add_episodes([(episode, entry)])
        return added

    async def add_episodes(self, episodes: Sequence[tuple[Episode, IndexEntry]]) -> list[Episode]:
        def add(connection: SqlConnection) -> list[Episode]:
            view = self._make(connection, [episode.scope for episode, _ in episodes])
            numbers = {scope: number for number, scope in view.scopes.items()}
            known = view.find_numbers("graph_episodes", [episode.id for episode, _ in episodes])
            statement = insert_ignore(connection.dialect.name, "graph_episodes", EPISODE_COLUMNS)
            new = {one.id: (one, entry) for one, entry in reversed(episodes) if one.id not in known}
            for one, entry in reversed(new.values()):
                row = make_episode_row(one, numbers[one.scope], connection.dialect)
                # A version of its own: the first one.
                connection.execute(statement, [*row[:-1], 1])
                index_document(
                    connection,
                    self._tenant_id,
                    numbers[one.scope],
                    DocumentKey("episode", one.id),
                    entry=entry,
                    span=DocumentSpan.between(one.created_at),
                )
            return episode_rows.read_episodes(view, [episode.id for episode, _ in episodes])

        return await self._database.write(add)

    async def get_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> list[Episode]:
        return await self._read(scopes, lambda view: episode_rows.read_episodes(view, ids))

    async def save_episode(self, episode: Episode) -> Episode:
        def save(connection: SqlConnection) -> Episode:
            scope_no = self._number(connection, episode.scope)
            return episode_rows.update_episode(connection, episode, scope_no)

        return await self._database.write(save)

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
            lambda view: episode_rows.list_episodes(
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
        return await self._database.read(
            lambda connection: episode_rows.find_unfinished(
                connection, self._tenant_id, limit, tried_before
            )
        )

    async def link(
        self,
        episode: Episode,
        entities: Sequence[tuple[Entity, IndexEntry]],
        relations: Sequence[EntityRelation],
        mentions: Sequence[Mention],
    ) -> Episode:
        one = EpisodeLinks(
            episode=episode, entities=entities, relations=relations, mentions=mentions
        )
        return (await self.link_many([one]))[0]

    async def link_many(self, links: Sequence[EpisodeLinks]) -> list[Episode]:
        def link(connection: SqlConnection) -> list[Episode]:
            view = self._make(connection, [one.episode.scope for one in links])
            numbers = {scope: number for number, scope in view.scopes.items()}
            for number in sorted(view.scopes):
                # It locks the scope: who links at the same time waits, and sees what is new.
                note_change(connection, number, "entity")
            episodes = link_rows(view, links)
            for entity, entry in {
                e.id: (e, entry) for x in links for e, entry in x.entities
            }.values():
                self._index_entity(connection, numbers[entity.scope], entity, entry)
            return episodes

        return await self._database.write(link)

    async def get_entities(self, scopes: Sequence[MemoryScope], ids: Sequence[str]) -> list[Entity]:
        return await self._read(scopes, lambda view: entity_rows.read_entities(view, ids))

    async def find_named(self, scopes: Sequence[MemoryScope], names: Sequence[str]) -> list[Entity]:
        return await self._read(scopes, lambda view: entity_rows.find_named(view, names))

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
            lambda view: entity_rows.list_entities(
                view,
                entity_type=type,
                community_id=community_id,
                limit=min(limit, GRAPH_PAGE_MAX),
                after=after,
            ),
        )

    async def save_entity(self, entity: Entity, entry: IndexEntry | None = None) -> Entity:
        def save(connection: SqlConnection) -> Entity:
            view = self._open(connection, [entity.scope])
            numbers = view.find_numbers("graph_entities", [entity.id])
            if entity.id not in numbers:
                raise NotFoundError(f"There is no entity {entity.id}: it was removed meanwhile.")
            scope_no, number = self._number(connection, entity.scope), numbers[entity.id]
            saved = entity_rows.replace_entity(connection, entity, scope_no, number)
            if saved is None:
                raise ConflictError(
                    f"The entity {entity.id} was changed meanwhile: yours is of version "
                    f"{entity.version}. Read it again."
                )
            if entry is not None:
                self._index_entity(connection, scope_no, saved, entry)
            return saved

        return await self._database.write(save)

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
            lambda view: relation_rows.list_relations(
                view,
                entity_ids,
                as_of=as_of,
                now=self._clock(),
                with_past=with_past,
                limit=min(limit, GRAPH_RELATIONS_MAX),
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
            lambda view: relation_rows.find_near(
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
        def read(view: GraphView) -> list[Mention]:
            numbers = list(view.find_numbers("graph_entities", entity_ids).values())
            return entity_rows.list_mentions(view, "entity_no", numbers, limit)

        return await self._read(scopes, read)

    async def list_mentioned(
        self, scopes: Sequence[MemoryScope], episode_ids: Sequence[str], limit: int
    ) -> list[Mention]:
        def read(view: GraphView) -> list[Mention]:
            numbers = list(view.find_numbers("graph_episodes", episode_ids).values())
            return entity_rows.list_mentions(view, "episode_no", numbers, limit)

        return await self._read(scopes, read)

    async def find_episodes_with(
        self, scopes: Sequence[MemoryScope], text: str, limit: int
    ) -> list[str]:
        return await self._read(
            scopes, lambda view: episode_rows.find_episodes_with(view, text, limit)
        )

    async def count_entities(self, scopes: Sequence[MemoryScope]) -> tuple[int, int]:
        return await self._read(scopes, entity_rows.count_entities)

    async def find_linked(
        self, scopes: Sequence[MemoryScope], community_id: str | None, limit: int
    ) -> list[Entity]:
        return await self._read(
            scopes,
            lambda view: entity_rows.find_linked(view, community_id, min(limit, GRAPH_PAGE_MAX)),
        )

    async def read_members(self, scope: MemoryScope) -> Mapping[str, str]:
        return await self._read([scope], community_rows.read_members)

    async def count_edges(self, scope: MemoryScope) -> list[tuple[str, str, float]]:
        return await self._read(
            [scope], lambda view: relation_rows.count_edges(view, self._clock())
        )

    async def save_communities(
        self, scope: MemoryScope, communities: Sequence[tuple[Community, Sequence[str]]]
    ) -> None:
        await self._database.write(
            lambda connection: community_rows.save_communities(
                self._make(connection, [scope]), communities
            )
        )

    async def list_communities(self, scopes: Sequence[MemoryScope]) -> list[Community]:
        return await self._read(scopes, community_rows.list_communities)

    async def remove_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> Mapping[str, int]:
        def remove(connection: SqlConnection) -> Mapping[str, int]:
            view = self._open(connection, scopes)
            numbers = view.find_numbers("graph_episodes", ids)
            removed = removal_rows.remove_episodes(view, list(numbers.values()))
            counts = removed.counts
            counts += unindex_documents(connection, self._tenant_id, "episode", list(numbers))
            # Of one that has other names now the service makes the index anew.
            gone = [*removed.gone, *removed.renamed]
            return counts + unindex_documents(connection, self._tenant_id, "entity", gone)

        return await self._database.erase(remove)

    async def remove_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str
    ) -> Mapping[str, int]:
        def remove(connection: SqlConnection) -> Mapping[str, int]:
            view = self._open(connection, scopes)
            numbers = view.find_numbers("graph_entities", [entity_id])
            counts = removal_rows.remove_entities(view, list(numbers.values()))
            return counts + unindex_documents(connection, self._tenant_id, "entity", list(numbers))

        return await self._database.erase(remove)

    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        def read(connection: SqlConnection) -> list[MemoryScope]:
            scopes = list_user_scopes(connection, self._tenant_id, user_id)
            view = GraphView(connection, self._tenant_id, scopes)
            return [scopes[number] for number in episode_rows.find_used_scopes(view)]

        return await self._database.read(read)

    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        def remove(connection: SqlConnection) -> Mapping[str, int]:
            scopes = list_user_scopes(connection, self._tenant_id, user_id)
            counts = removal_rows.remove_scopes(GraphView(connection, self._tenant_id, scopes))
            return counts + remove_user_index(connection, self._tenant_id, user_id, self.kinds)

        return await self._database.erase(remove)

    async def query(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Mapping[str, object]]:
        parsed = parse_query(query)
        return await self._read(scopes, lambda view: run_query(view, parsed, limit))

    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        def read(connection: SqlConnection) -> Mapping[str, int]:
            scopes = list_user_scopes(connection, self._tenant_id, user_id)
            return scan_text(GraphView(connection, self._tenant_id, scopes), text)

        return await self._database.read(read)

    async def read_texts(self, keys: Sequence[DocumentKey]) -> Mapping[DocumentKey, str]:
        return await self._database.read(lambda connection: self._read_texts(connection, keys))

    def _read_texts(
        self, connection: SqlConnection, keys: Sequence[DocumentKey]
    ) -> Mapping[DocumentKey, str]:
        return read_texts(connection, self._tenant_id, keys)

    async def _read(self, scopes: Sequence[MemoryScope], work: Callable[[GraphView], T]) -> T:
        return await self._database.read(lambda connection: work(self._open(connection, scopes)))

    def _open(self, connection: SqlConnection, scopes: Sequence[MemoryScope]) -> GraphView:
        found = find_scopes(connection, self._tenant_id, scopes)
        return GraphView(connection, self._tenant_id, found)

    def _make(self, connection: SqlConnection, scopes: Sequence[MemoryScope]) -> GraphView:
        numbers = {
            make_scope(connection, self._tenant_id, scope): scope for scope in dict.fromkeys(scopes)
        }
        return GraphView(connection, self._tenant_id, numbers)

    def _number(self, connection: SqlConnection, scope: MemoryScope) -> int:
        return next(iter(self._open(connection, [scope]).scopes), -1)

    def _index_entity(
        self, connection: SqlConnection, scope_no: int, entity: Entity, entry: IndexEntry
    ) -> None:
        key = DocumentKey("entity", entity.id)
        # An entity has no time of its own: its relations have.
        always = DocumentSpan(NEVER_US)
        index_document(connection, self._tenant_id, scope_no, key, entry=entry, span=always)
