"""`/api/v1/graph/entities`: the people, places and things of the graph of the person who asks."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.agents.memory.limits import TIMELINE_ITEMS_DEFAULT, TIMELINE_ITEMS_MAX
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import Moment
from dataagent_server.api.models.memory.graph_info import (
    EntityDetail,
    EntityInfo,
    EntityRemoved,
    EntityTimeline,
    EntityUpdate,
    TimelineItemInfo,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.api.v1.memory.shared import CommunityQuery, EntityPath, Where

router = APIRouter(prefix="/graph/entities", tags=["memories"])


@router.get("", summary="List entities")
async def list_entities(
    principal: CurrentPrincipal,
    services: ServicesDep,
    where: Where,
    page_request: Paging,
    *,
    type: Annotated[  # noqa: A002 (S2's name of the property)
        str | None, Query(pattern=r"^[^\x00]{1,40}$", description="Those of this type")
    ] = None,
    community_id: CommunityQuery = None,
    q: Annotated[
        str | None,
        Query(pattern=r"^[^\x00]{1,500}$", description="Those that fit, the best first"),
    ] = None,
) -> Page[EntityInfo]:
    """List entities by name; with `q` those that fit, in one page."""
    found = await services.graph.list_entities(
        principal, where, page_request, type=type, community_id=community_id, query=q
    )
    return page_of(EntityInfo, found)


@router.get("/{entity_id}", summary="One entity")
async def get_entity(
    entity_id: EntityPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    as_of: Annotated[Moment | None, Query(description="Only relations that were true then")] = None,
) -> EntityDetail:
    """Show an entity with its relations, their other ends, and the episodes that mention it."""
    return EntityDetail.of(await services.graph.get_entity(principal, entity_id, as_of))


@router.get("/{entity_id}/timeline", summary="What happened to an entity")
async def get_entity_timeline(
    entity_id: EntityPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=TIMELINE_ITEMS_MAX)] = TIMELINE_ITEMS_DEFAULT,
) -> EntityTimeline:
    """Show what began, ended and was said of it, the oldest first."""
    items = await services.graph.read_timeline(principal, entity_id, limit)
    return EntityTimeline(items=[TimelineItemInfo.model_validate(one) for one in items])


@router.patch("/{entity_id}", summary="Change an entity", responses=errors("CONFLICT"))
async def change_entity(
    entity_id: EntityPath, body: EntityUpdate, principal: CurrentPrincipal, services: ServicesDep
) -> EntityInfo:
    """Change what is said of it; 409 when it has changed since you looked."""
    changed = await services.graph.change_entity(principal, entity_id, body.version, body.change())
    return EntityInfo.model_validate(changed)


@router.delete("/{entity_id}", summary="Remove an entity")
async def remove_entity(
    entity_id: EntityPath, principal: CurrentPrincipal, services: ServicesDep
) -> EntityRemoved:
    """Remove it with its relations; the episodes that mention it stay."""
    return EntityRemoved(removed=dict(await services.graph.remove_entity(principal, entity_id)))
