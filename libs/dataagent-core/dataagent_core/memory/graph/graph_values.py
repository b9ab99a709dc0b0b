"""The nodes and edges of the graph (S2 §11.4): Episodic, Entity, Community, and what joins them.

All of them belong to a scope, as memories do. A relation knows when it was true and when we
believed it; so do memories (`memory.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.memory.search_index import IndexEntry

# How far an episode is: kept, read, joined with the graph, done (S2: Synced); or given up.
EpisodeState = Literal["received", "extracted", "linked", "synced", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A piece of conversation or of text that entities are taken from: `Episodic`."""

    id: str
    scope: MemoryScope
    content: str
    source: MemorySource
    created_at: datetime
    updated_at: datetime
    state: EpisodeState = "received"
    # Why it failed, or what was left out.
    reason: str = ""
    attempts: int = 0
    # What was extracted, kept until it is linked, so that no model is asked twice.
    extracted: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    is_tainted: bool = False
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, an organisation, a place, a concept: `Entity`."""

    id: str
    scope: MemoryScope
    name: str
    type: str
    created_at: datetime
    updated_at: datetime
    summary: str = ""
    attributes: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    # Other names that were found to be it, each with the reason.
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    community_id: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """`MENTIONS`: an episode mentions an entity."""

    episode_id: str
    entity_id: str
    # The names it has there: when no episode has a name any longer, the entity loses it.
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRelation:
    """`RELATES_TO`: one entity is related to another, in the words `fact`."""

    id: str
    scope: MemoryScope
    source_id: str
    target_id: str
    # What joins them: `works at`.
    name: str
    fact: str
    # It grows with every episode that says so.
    weight: float
    # The last episode that says so, whose words `fact` are.
    episode_id: str
    valid_from: datetime
    recorded_at: datetime
    valid_to: datetime | None = None
    retired_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """Entities that belong together: `Community`. `BELONGS_TO` is `Entity.community_id`."""

    id: str
    scope: MemoryScope
    name: str
    summary: str
    member_count: int
    updated_at: datetime
    # Of the edges it was made from: whether it has to be computed again.
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class NearEntity:
    """An entity near others in the graph; a nearness of 1 is the entity itself."""

    entity_id: str
    nearness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeLinks:
    """What an episode adds to the graph, in words that a store keeps."""

    episode: Episode
    entities: Sequence[tuple[Entity, IndexEntry]] = ()
    # Those whose `episode_id` is the episode's rest on it; others it closes.
    relations: Sequence[EntityRelation] = ()
    mentions: Sequence[Mention] = ()
