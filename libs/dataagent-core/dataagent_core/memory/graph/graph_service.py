"""The port of the knowledge graph (S2 §11): what keeps episodes and answers about entities.

`NativeGraphAdapter` implements it over a `GraphStore`. Every call names its scopes; what a person
may see is decided by who makes them. `HybridSearch` (`memory/search/`) asks the store itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from dataagent_core.memory.graph.graph_values import (
    Community,
    Entity,
    EntityRelation,
    Episode,
    EpisodeState,
)
from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEpisode:
    """A piece of conversation or of text to keep."""

    scope: MemoryScope
    content: str
    source: MemorySource
    # When it was said; now, when unset.
    created_at: datetime | None = None
    is_tainted: bool = False
    # One that is made of the source makes adding it twice harmless; random, when empty.
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessReport:
    """What became of the episodes that were waiting."""

    synced: int = 0
    failed: int = 0
    # They are tried again: a model could not be reached, or the call was cut short.
    waiting: int = 0
    communities: int = 0
    # What whoever read them cannot do.
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """An entity with what is said of it."""

    entity: Entity
    # Those of most weight first; with the past ones.
    relations: tuple[EntityRelation, ...]
    # The entities at the other ends of them.
    neighbours: tuple[Entity, ...]
    # Episodes that mention it, the newest first.
    episodes: tuple[Episode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineItem:
    """Something that began, ended or was said of an entity."""

    at: datetime
    # `began` and `ended` are of a relation, `mentioned` of an episode.
    kind: str
    text: str
    relation_id: str = ""
    episode_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityLink:
    """How much joins two communities."""

    source_id: str
    target_id: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOverview:
    """The graph from afar: its largest communities and what joins them."""

    communities: tuple[Community, ...]
    links: tuple[CommunityLink, ...]
    entity_count: int
    # Entities of no community.
    alone_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNodes:
    """A part of the graph: entities, and the relations among them."""

    entities: tuple[Entity, ...]
    relations: tuple[EntityRelation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityChange:
    """What a person changes of an entity; None leaves it as it is."""

    name: str | None = None
    type: str | None = None
    summary: str | None = None
    attributes: Mapping[str, JsonValue] | None = None


class GraphServicePort(ABC):
    """The graph of one tenant."""

    @abstractmethod
    async def add_episode(self, episode: NewEpisode) -> Episode:
        """Keep an episode as `received`; one of a known id is returned as it is."""

    @abstractmethod
    async def add_episodes(self, episodes: Sequence[NewEpisode]) -> list[Episode]:
        """Keep many in one transaction."""

    @abstractmethod
    async def process(self, scope: MemoryScope, episode_id: str) -> Episode:
        """Bring an episode one state further; what fails is tried again up to a bound."""

    @abstractmethod
    async def process_pending(self, limit: int | None = None) -> ProcessReport:
        """Bring waiting episodes of all scopes to their end, then their communities.

        One that has just failed waits for `EPISODE_RETRY_PAUSE_S` before it is tried again.
        """

    @abstractmethod
    async def retry(self, scope: MemoryScope, episode_id: str) -> Episode:
        """Begin again with a failed episode, as if it had just been received."""

    @abstractmethod
    async def find_entities(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Entity]:
        """Return entities by name, then by words of their names, then by meaning."""

    @abstractmethod
    async def get_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str, *, as_of: datetime | None = None
    ) -> EntityView:
        """Return an entity with what is said of it; `NotFoundError` if there is none."""

    @abstractmethod
    async def read_timeline(
        self, scopes: Sequence[MemoryScope], entity_id: str, limit: int
    ) -> list[TimelineItem]:
        """Return what happened to an entity, the oldest first."""

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
    async def change_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str, version: int, change: EntityChange
    ) -> Entity:
        """Change an entity that a person read as `version`."""

    @abstractmethod
    async def remove_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str
    ) -> Mapping[str, int]:
        """Remove an entity with its relations and mentions; say how many of what went."""

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
    async def list_communities(self, scopes: Sequence[MemoryScope]) -> list[Community]:
        """Return communities, the largest first."""

    @abstractmethod
    async def update_communities(self, scope: MemoryScope) -> int:
        """Compute what changed of the communities of a scope; say how many were written."""

    @abstractmethod
    async def read_overview(self, scopes: Sequence[MemoryScope], limit: int) -> GraphOverview:
        """Return the largest communities and what joins them."""

    @abstractmethod
    async def read_nodes(
        self, scopes: Sequence[MemoryScope], community_id: str | None, limit: int
    ) -> GraphNodes:
        """Return entities of a community, or of all, those of most relations first."""

    @abstractmethod
    async def query(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Mapping[str, object]]:
        """Answer a query that only reads; a `QueryRefusedError` says what is wrong with one."""

    @abstractmethod
    async def forget_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> Mapping[str, int]:
        """Remove episodes with all that rests on them alone; say how many of what went."""

    @abstractmethod
    async def forget_memory(
        self, scopes: Sequence[MemoryScope], memory: Memory
    ) -> Mapping[str, int]:
        """Remove every episode that holds a memory's words; say how many of what went."""

    @abstractmethod
    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        """Return the scopes in which a user has a graph."""

    @abstractmethod
    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        """Remove everything of a user; say how many of what went."""

    @abstractmethod
    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        """Count what a user keeps that holds a text, by table or label: the proof it is gone."""
