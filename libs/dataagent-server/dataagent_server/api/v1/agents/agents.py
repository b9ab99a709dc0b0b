"""`/api/v1/agents`: one collection of assistants and sub-agents (S2 §14.3).

The work for one agent and what it did are in `agent_work.py`; sub-agents alone in `subagents.py`.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from dataagent_core.errors import ConflictError
from dataagent_server.agents.assistants.assistant import Assistant
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.agent import (
    AgentInfo,
    AgentKind,
    AgentReplace,
    AgentUpdate,
    AnyAgentCreate,
    AnyAgentReplace,
    SubAgentOfAgents,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Cursor
from dataagent_server.api.v1.agents.shared import (
    AgentPath,
    ProjectQuery,
    find_agent,
    is_subagent,
    show_subagent,
)
from dataagent_server.common.pagination import PAGE_ROWS_DEFAULT, PAGE_ROWS_MAX, PageRequest
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

router = APIRouter(prefix="/agents", tags=["agents"])


@router.get("", summary="List agents", responses=errors("NOT_FOUND"))
async def list_agents(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    kind: AgentKind | None = None,
    project_id: ProjectQuery = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS_MAX)] = PAGE_ROWS_DEFAULT,
    after: Cursor = None,
) -> Page[AgentInfo]:
    """List the tenant's assistants, the built-in one first; the last page has the sub-agents."""
    if kind == "subagent":
        return Page(items=await _list_subagents(services, principal, project_id))
    page = await services.assistants.list(principal, PageRequest(after, limit))
    items = [AgentInfo.of(one) for one in page.items]
    if kind is None and page.next is None:
        items += await _list_subagents(services, principal, project_id)
    return Page(items=items, next=page.next)


@router.post(
    "",
    status_code=201,
    summary="Create an agent",
    responses=errors("NOT_FOUND", "CONFLICT", "LIMIT_REACHED"),
)
async def create_agent(
    body: AnyAgentCreate, principal: CurrentPrincipal, services: ServicesDep
) -> AgentInfo:
    """Make an assistant that everybody in the tenant can use, or a sub-agent (`kind`)."""
    if isinstance(body, SubAgentOfAgents):
        made = await services.subagents.create(principal, body.project_id, body.definition)
        return AgentInfo.of_subagent(show_subagent(principal, made))
    wished = body.assistant
    if wished.assistant_id and await is_subagent(services, principal, wished.assistant_id):
        raise ConflictError(
            f"{wished.assistant_id!r} is the id of a sub-agent. Choose another agent_id."
        )
    return AgentInfo.of(await services.assistants.create(principal, wished))


@router.get("/{agent_id}", summary="One agent")
async def get_agent(
    agent_id: AgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> AgentInfo:
    """Show an agent."""
    return await _show(services, principal, agent_id)


@router.put("/{agent_id}", summary="Replace an agent", responses=errors("CONFLICT"))
async def replace_agent(
    agent_id: AgentPath,
    body: AnyAgentReplace,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> AgentInfo:
    """Give all of an assistant anew: what is left out is unset; for its maker and for admins.

    Of a sub-agent, what is left out stays.
    """
    if isinstance(body, AgentReplace):
        await _refuse_subagent(services, principal, agent_id, 'Send `"kind": "subagent"`.')
        return AgentInfo.of(await services.assistants.change(principal, agent_id, body.values))
    changed = await services.subagents.change(principal, agent_id, body.changes)
    return AgentInfo.of_subagent(show_subagent(principal, changed))


@router.patch("/{agent_id}", summary="Change an agent", responses=errors("CONFLICT"))
async def update_agent(
    agent_id: AgentPath,
    body: AgentUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> AgentInfo:
    """Change what is given of an assistant; for whoever made it and for admins."""
    way_out = "Change it with PUT, or switch it with `PATCH /subagents/{id}/enable`."
    await _refuse_subagent(services, principal, agent_id, way_out)
    return AgentInfo.of(await services.assistants.change(principal, agent_id, body.values))


@router.delete(
    "/{agent_id}", status_code=204, summary="Delete an agent", responses=errors("CONFLICT")
)
async def delete_agent(
    agent_id: AgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Delete it; its sessions stay and can go on with another one."""
    if await is_subagent(services, principal, agent_id):
        await services.subagents.delete(principal, agent_id)
    else:
        await services.assistants.delete(principal, agent_id)
    return Response(status_code=204)


async def _list_subagents(
    services: Services, principal: Principal, project_id: str | None
) -> list[AgentInfo]:
    found = await services.subagents.list(principal, project_id)
    return [AgentInfo.of_subagent(show_subagent(principal, one)) for one in found]


async def _show(services: Services, principal: Principal, agent_id: str) -> AgentInfo:
    found = await find_agent(services, principal, agent_id)
    if isinstance(found, Assistant):
        return AgentInfo.of(found)
    return AgentInfo.of_subagent(show_subagent(principal, found))


async def _refuse_subagent(
    services: Services, principal: Principal, agent_id: str, way_out: str
) -> None:
    if await is_subagent(services, principal, agent_id):
        raise ConflictError(f"{agent_id!r} is a sub-agent. {way_out}")
