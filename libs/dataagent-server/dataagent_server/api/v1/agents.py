"""`/api/v1/agents`: one collection of assistants and sub-agents."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.agent import (
    AgentCreate,
    AgentInfo,
    AgentKind,
    AgentReplace,
    AgentUpdate,
)
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Cursor
from dataagent_server.common.pagination import PAGE_ROWS_DEFAULT, PAGE_ROWS_MAX, PageRequest

router = APIRouter(prefix="/agents", tags=["agents"])
AgentPath = Annotated[str, Path(alias="agent_id", pattern=ID_PATTERN)]


@router.get("", summary="List agents")
async def list_agents(
    principal: CurrentPrincipal,
    services: ServicesDep,
    kind: AgentKind | None = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS_MAX)] = PAGE_ROWS_DEFAULT,
    after: Cursor = None,
) -> Page[AgentInfo]:
    """List the tenant's agents, the built-in one first."""
    page = await services.assistants.list(principal, PageRequest(after, limit))
    if kind == "subagent":
        return Page(items=[])
    return Page(items=[AgentInfo.of(one) for one in page.items], next=page.next)


@router.post(
    "", status_code=201, summary="Create an agent", responses=errors("CONFLICT", "LIMIT_REACHED")
)
async def create_agent(
    body: AgentCreate, principal: CurrentPrincipal, services: ServicesDep
) -> AgentInfo:
    """Make an assistant that everybody in the tenant can use."""
    return AgentInfo.of(await services.assistants.create(principal, body.assistant))


@router.get("/{agent_id}", summary="One agent")
async def get_agent(
    agent_id: AgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> AgentInfo:
    """Show an agent."""
    return AgentInfo.of(await services.assistants.get(principal, agent_id))


@router.put("/{agent_id}", summary="Replace an agent", responses=errors("CONFLICT"))
async def replace_agent(
    agent_id: AgentPath,
    body: AgentReplace,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> AgentInfo:
    """Give all of an agent anew: what is left out is unset; for its maker and for admins."""
    return AgentInfo.of(await services.assistants.change(principal, agent_id, body.values))


@router.patch("/{agent_id}", summary="Change an agent", responses=errors("CONFLICT"))
async def update_agent(
    agent_id: AgentPath,
    body: AgentUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> AgentInfo:
    """Change what is given; for whoever made it and for admins."""
    return AgentInfo.of(await services.assistants.change(principal, agent_id, body.values))


@router.delete(
    "/{agent_id}", status_code=204, summary="Delete an agent", responses=errors("CONFLICT")
)
async def delete_agent(
    agent_id: AgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Delete it; its sessions stay and can go on with another one."""
    await services.assistants.delete(principal, agent_id)
    return Response(status_code=204)
