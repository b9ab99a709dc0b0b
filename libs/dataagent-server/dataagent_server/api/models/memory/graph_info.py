"""The knowledge graph, as the API takes and shows it (S2 §11)."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from dataagent_core.memory.graph.graph_service import EntityChange, EntityView
from dataagent_core.memory.graph.graph_values import EpisodeState
from dataagent_server.agents.memory.limits import (
    QUERY_CHARS_MAX,
    QUERY_ROWS_DEFAULT,
    QUERY_ROWS_MAX,
)
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import JsonObject, Text, without_nul
from dataagent_server.api.models.memory.memory_bodies import VERSION_MAX
from dataagent_server.api.models.memory.memory_info import Known, MemoryScopeInfo, MemorySourceInfo


class CommunityInfo(ResponseModel):
    """Entities that belong together."""

    id: str
    name: str
    summary: str
    member_count: int
    scope: MemoryScopeInfo
    updated_at: datetime


class CommunityLinkInfo(ResponseModel):
    """How much joins two communities."""

    source: str = Field(validation_alias="source_id")
    target: str = Field(validation_alias="target_id")
    weight: float


class GraphOverviewInfo(ResponseModel):
    """The graph from afar."""

    communities: list[CommunityInfo] = Field(description="The largest first")
    links: list[CommunityLinkInfo]
    entity_count: int
    alone_count: int = Field(description="Entities of no community")


class EntityInfo(ResponseModel):
    """A person, an organisation, a place, a concept."""

    id: str
    name: str
    type: str
    summary: str
    attributes: dict[str, JsonValue]
    aliases: dict[str, str] = Field(description="Other names, each with why it is the same")
    community_id: Known
    scope: MemoryScopeInfo
    created_at: datetime
    updated_at: datetime
    version: int = Field(description="Counts every change; give it back to change what you saw")


class RelationInfo(ResponseModel):
    """One entity is related to another."""

    id: str
    source_id: str
    target_id: str
    name: str
    fact: str
    weight: float = Field(description="It grows with every episode that says so")
    episode_id: Known
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None


class EpisodeInfo(ResponseModel):
    """A piece of conversation or text that entities are taken from."""

    id: str
    content: str
    source: MemorySourceInfo
    scope: MemoryScopeInfo
    state: EpisodeState
    reason: str = Field(description="Why it failed, or what was left out")
    attempts: int
    is_tainted: bool = Field(description="It comes from content of strangers")
    created_at: datetime
    updated_at: datetime


class EntityDetail(ResponseModel):
    """An entity with what is said of it."""

    entity: EntityInfo
    relations: list[RelationInfo] = Field(description="Those of most weight first, also past ones")
    neighbours: list[EntityInfo] = Field(description="The entities at their other ends")
    mentions: list[EpisodeInfo] = Field(description="Episodes that mention it, the newest first")

    @classmethod
    def of(cls, view: EntityView) -> Self:
        """Show an entity."""
        return cls(
            entity=EntityInfo.model_validate(view.entity),
            relations=[RelationInfo.model_validate(one) for one in view.relations],
            neighbours=[EntityInfo.model_validate(one) for one in view.neighbours],
            mentions=[EpisodeInfo.model_validate(one) for one in view.episodes],
        )


class TimelineItemInfo(ResponseModel):
    """Something that began, ended or was said of an entity."""

    at: datetime
    kind: Literal["began", "ended", "mentioned"]
    text: str
    relation_id: Known
    episode_id: Known


class EntityTimeline(ResponseModel):
    """What happened to an entity, the oldest first."""

    items: list[TimelineItemInfo]


class GraphNodesInfo(ResponseModel):
    """A part of the graph: entities, and the relations among them."""

    entities: list[EntityInfo] = Field(description="Those of most relations first")
    relations: list[RelationInfo]


_Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, strip_whitespace=True),
    AfterValidator(without_nul),
]
_Type = Annotated[str, StringConstraints(pattern=r"^\w[\w -]{0,39}$")]
_Query = Annotated[
    str,
    StringConstraints(min_length=1, max_length=QUERY_CHARS_MAX),
    AfterValidator(without_nul),
]


class EntityUpdate(RequestModel):
    """What is to change; fields left out stay."""

    version: int = Field(ge=1, le=VERSION_MAX, description="Of the entity you looked at")
    name: _Name | None = None
    type: _Type | None = None
    summary: Text | None = None
    attributes: JsonObject | None = None

    def change(self) -> EntityChange:
        """Say it to core."""
        return EntityChange(**self.model_dump(exclude={"version"}))


class EntityRemoved(ResponseModel):
    """What went with an entity."""

    removed: dict[str, int] = Field(description="How many of what")


class GraphQuery(RequestModel):
    """A query that only reads; your own scopes are added to it."""

    query: _Query = Field(
        examples=["MATCH (e:Entity {name: 'Ann'})-[r:RELATES_TO]->(other) RETURN other.name"]
    )
    limit: int = Field(default=QUERY_ROWS_DEFAULT, ge=1, le=QUERY_ROWS_MAX)


class GraphRows(ResponseModel):
    """What the graph answered."""

    rows: list[dict[str, Any]]
