"""The port `GraphStore`: the graph of one tenant, in an SQL database or in Neo4j.

Every call names its scopes, and a store adds them to each statement itself: a query never does.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime

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
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import DocumentKey, IndexEntry, SearchIndex


class GraphStore(SearchIndex):
    """Stores the graph of one tenant; that of another is not seen."""

    @abstractmethod
    async def add_episode(self, episode: Episode, entry: IndexEntry) -> Episode:
        """Store an episode with its first version; one of a known id is returned as it is."""

    async def add_episodes(self, episodes: Sequence[tuple[Episode, IndexEntry]]) -> list[Episode]:
        """Store episodes; a store that can does it in one transaction."""
        return [await self.add_episode(episode, entry) for episode, entry in episodes]

    @abstractmethod
    async def get_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> list[Episode]:
        """Return episodes, in the order asked for."""

    @abstractmethod
    async def save_episode(self, episode: Episode) -> Episode:
        """Replace an episode and return it with its new version; another version: a conflict."""

    @abstractmethod
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
        """Return episodes, the newest first; `after` is the id of the last one seen."""

    @abstractmethod
    async def find_unfinished(
        self, limit: int, *, tried_before: datetime | None = None
    ) -> list[Episode]:
        """Return episodes of all scopes that are neither synced nor failed, the oldest first.

        With `tried_before` those are left out whose last attempt failed after that moment.
        """

    @abstractmethod
    async def link(
        self,
        episode: Episode,
        entities: Sequence[tuple[Entity, IndexEntry]],
        relations: Sequence[EntityRelation],
        mentions: Sequence[Mention],
    ) -> Episode:
        """Store what an episode adds and the episode itself, all or nothing.

        Entities and relations of a known id are replaced. Another version of the episode is a
        conflict, so that nothing is linked twice; so is an entity that was changed or removed
        since it was read, and a new one whose name and type another episode has added meanwhile.
        Relations whose `episode_id` is the episode's rest on it from now on; the others are only
        replaced.
        """

    async def link_many(self, links: Sequence[EpisodeLinks]) -> list[Episode]:
        """Link episodes in order; a store that can does it in one transaction."""
        return [
            await self.link(one.episode, one.entities, one.relations, one.mentions) for one in links
        ]

    @abstractmethod
    async def get_entities(self, scopes: Sequence[MemoryScope], ids: Sequence[str]) -> list[Entity]:
        """Return entities, in the order asked for."""

    @abstractmethod
    async def find_named(self, scopes: Sequence[MemoryScope], names: Sequence[str]) -> list[Entity]:
        """Return entities by name or alias, up to case, width and blanks."""

    @abstractmethod
    async def list_entities(
        self,
        scopes: Sequence[MemoryScope],
        *,
        type: str | None = None,  # noqa: A002 (S2's name of the property)
        community_id: str | None = None,
        limit: int,
        after: str | None = None,
    ) -> list[Entity]:
        """Return entities by name; `after` is the id of the last one seen."""

    @abstractmethod
    async def save_entity(self, entity: Entity, entry: IndexEntry | None = None) -> Entity:
        """Replace an entity and return it with its new version; another version: a conflict."""

    @abstractmethod
    async def list_relations(
        self,
        scopes: Sequence[MemoryScope],
        entity_ids: Sequence[str],
        *,
        as_of: datetime | None = None,
        with_past: bool = False,
        limit: int,
    ) -> list[EntityRelation]:
        """Return relations from or to entities, those of most weight first."""

    @abstractmethod
    async def find_near(
        self,
        scopes: Sequence[MemoryScope],
        seeds: Mapping[str, float],
        *,
        hops: int,
        as_of: datetime | None = None,
        limit: int,
    ) -> list[NearEntity]:
        """Walk from entities over relations and return what is near, the nearest first."""

    @abstractmethod
    async def find_mentions(
        self, scopes: Sequence[MemoryScope], entity_ids: Sequence[str], limit: int
    ) -> list[Mention]:
        """Return which episodes mention entities, the newest episodes first."""

    @abstractmethod
    async def list_mentioned(
        self, scopes: Sequence[MemoryScope], episode_ids: Sequence[str], limit: int
    ) -> list[Mention]:
        """Return which entities episodes mention, the newest episodes first."""

    @abstractmethod
    async def find_episodes_with(
        self, scopes: Sequence[MemoryScope], text: str, limit: int
    ) -> list[str]:
        """Return ids of episodes that hold a text, letter by letter."""

    @abstractmethod
    async def count_entities(self, scopes: Sequence[MemoryScope]) -> tuple[int, int]:
        """Return how many entities there are, and how many of them are of no community."""

    @abstractmethod
    async def find_linked(
        self, scopes: Sequence[MemoryScope], community_id: str | None, limit: int
    ) -> list[Entity]:
        """Return entities of a community, or of all, those of most relations first."""

    @abstractmethod
    async def read_members(self, scope: MemoryScope) -> Mapping[str, str]:
        """Return the community of each entity of a scope that has one."""

    @abstractmethod
    async def count_edges(self, scope: MemoryScope) -> list[tuple[str, str, float]]:
        """Return pairs of entities with the weight of what joins them now: for communities."""

    @abstractmethod
    async def save_communities(
        self, scope: MemoryScope, communities: Sequence[tuple[Community, Sequence[str]]]
    ) -> None:
        """Replace the communities of a scope, each with its entities, all or nothing."""

    @abstractmethod
    async def list_communities(self, scopes: Sequence[MemoryScope]) -> list[Community]:
        """Return communities, the largest first."""

    @abstractmethod
    async def remove_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> Mapping[str, int]:
        """Remove episodes with all that rests on them alone; say how many of what went.

        Entities and relations that other episodes mention stay, without the names and words that
        were in these alone (`entity_names.py`). Communities of entities that were mentioned are
        removed: they are computed again. An entity whose names changed is in no index until it is
        saved with an entry.
        """

    @abstractmethod
    async def remove_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str
    ) -> Mapping[str, int]:
        """Remove an entity with its relations and mentions; say how many of what went."""

    @abstractmethod
    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        """Return the scopes in which a user has episodes or entities."""

    async def list_own_scopes(self, project_id: str | None = None) -> list[MemoryScope]:
        """Return scopes, all or of a project, that the tables of memories need not know of.

        A graph in the database of memories has none: its scopes are in the same table as theirs.
        """
        del project_id
        return []

    @abstractmethod
    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        """Remove everything of a user; say how many of what went."""

    @abstractmethod
    async def query(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Mapping[str, object]]:
        """Answer a query that only reads: Cypher on Neo4j, a documented part of it elsewhere."""

    @abstractmethod
    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        """Count what a user keeps that holds a text, by table or label: the proof it is gone."""

    @abstractmethod
    async def read_texts(self, keys: Sequence[DocumentKey]) -> Mapping[DocumentKey, str]:
        """Return the texts of documents that are still there."""
