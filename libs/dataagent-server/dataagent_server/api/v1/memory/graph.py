"""`/api/v1/graph`: communities, a view of the whole, episodes and queries (S2 §11).

It is the graph of the person who asks, and of nobody else. Entities are in `graph_entities.py`.
"""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_core.memory.graph.graph_values import EpisodeState
from dataagent_server.agents.memory.limits import (
    COMMUNITIES_SHOWN_DEFAULT,
    COMMUNITIES_SHOWN_MAX,
    NODES_SHOWN_DEFAULT,
    NODES_SHOWN_MAX,
)
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.memory.graph_info import (
    CommunityInfo,
    EpisodeInfo,
    GraphNodesInfo,
    GraphOverviewInfo,
    GraphQuery,
    GraphRows,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.api.v1.memory.shared import CommunityQuery, EpisodePath, Where

router = APIRouter(prefix="/graph", tags=["memories"])


@router.get("/communities", summary="List communities")
async def list_communities(
    principal: CurrentPrincipal, services: ServicesDep, where: Where, page_request: Paging
) -> Page[CommunityInfo]:
    """List the communities of entities that belong together, the largest first."""
    found = await services.graph.list_communities(principal, where, page_request)
    return page_of(CommunityInfo, found)


@router.get("/overview", summary="The graph from afar")
async def get_graph_overview(
    principal: CurrentPrincipal,
    services: ServicesDep,
    where: Where,
    limit: Annotated[
        int, Query(ge=1, le=COMMUNITIES_SHOWN_MAX, description="Communities at most")
    ] = COMMUNITIES_SHOWN_DEFAULT,
) -> GraphOverviewInfo:
    """Show the largest communities and what joins them; entities are only counted."""
    overview = await services.graph.read_overview(principal, where, limit)
    return GraphOverviewInfo.model_validate(overview)


@router.get("/nodes", summary="A part of the graph")
async def get_graph_nodes(
    principal: CurrentPrincipal,
    services: ServicesDep,
    where: Where,
    community_id: CommunityQuery = None,
    limit: Annotated[
        int, Query(ge=1, le=NODES_SHOWN_MAX, description="Entities at most")
    ] = NODES_SHOWN_DEFAULT,
) -> GraphNodesInfo:
    """Show entities of a community, or of all, with the relations among them."""
    nodes = await services.graph.read_nodes(principal, where, community_id, limit)
    return GraphNodesInfo.model_validate(nodes)


@router.get("/episodes", summary="List episodes")
async def list_episodes(
    principal: CurrentPrincipal,
    services: ServicesDep,
    where: Where,
    page_request: Paging,
    *,
    state: Annotated[EpisodeState | None, Query(description="How far they are")] = None,
    session_id: Annotated[
        str | None, Query(pattern=ID_PATTERN, description="Those of this conversation")
    ] = None,
) -> Page[EpisodeInfo]:
    """List the pieces of conversation and text that the graph is made from, the newest first."""
    found = await services.graph.list_episodes(
        principal, where, page_request, state=state, session_id=session_id
    )
    return page_of(EpisodeInfo, found)


@router.post("/episodes/{episode_id}/retry", summary="Read an episode again")
async def retry_episode(
    episode_id: EpisodePath, principal: CurrentPrincipal, services: ServicesDep
) -> EpisodeInfo:
    """Begin again with an episode that failed."""
    return EpisodeInfo.model_validate(await services.graph.retry_episode(principal, episode_id))


@router.post("/query", summary="Query the graph", responses=errors("QUERY_REFUSED", "QUERY_FAILED"))
async def query_graph(
    body: GraphQuery, principal: CurrentPrincipal, services: ServicesDep
) -> GraphRows:
    """Answer a query in Cypher that only reads: more of it on Neo4j than elsewhere."""
    return GraphRows.model_validate(
        {"rows": await services.graph.query(principal, body.query, body.limit)}
    )
