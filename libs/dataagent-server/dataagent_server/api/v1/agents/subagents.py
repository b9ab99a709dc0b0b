"""`/api/v1/subagents`: the specialists that agents delegate to (S2 §16.4)."""

from fastapi import APIRouter, Response

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.subagents import (
    SubAgentCreate,
    SubAgentDayInfo,
    SubAgentEnable,
    SubAgentInfo,
    SubAgentMatch,
    SubAgentMatchAsked,
    SubAgentReplace,
    SubAgentStats,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.agents.shared import ProjectQuery, SubAgentPath, show_subagent

router = APIRouter(prefix="/subagents", tags=["agents"])


@router.get("", summary="List sub-agents", responses=errors("NOT_FOUND"))
async def list_subagents(
    principal: CurrentPrincipal, services: ServicesDep, project_id: ProjectQuery = None
) -> Page[SubAgentInfo]:
    """List the built-in ones, the tenant's and the project's; of one name the last is used."""
    found = await services.subagents.list(principal, project_id)
    return Page(items=[show_subagent(principal, one) for one in found])


@router.post(
    "",
    status_code=201,
    summary="Create a sub-agent",
    responses=errors("NOT_FOUND", "CONFLICT", "LIMIT_REACHED"),
)
async def create_subagent(
    body: SubAgentCreate, principal: CurrentPrincipal, services: ServicesDep
) -> SubAgentInfo:
    """Make a sub-agent for the tenant (admins) or for a project (its owner)."""
    made = await services.subagents.create(principal, body.project_id, body.definition)
    return show_subagent(principal, made)


@router.post("/match", summary="Who would get a message", responses=errors("NOT_FOUND"))
async def match_subagents(
    body: SubAgentMatchAsked, principal: CurrentPrincipal, services: ServicesDep
) -> SubAgentMatch:
    """Say which sub-agents a message would go to, by rules and scores; no model is asked."""
    found = await services.subagents.match(principal, body.project_id, body.message)
    return SubAgentMatch.model_validate(found)


@router.get("/{subagent_id}", summary="One sub-agent")
async def get_subagent(
    subagent_id: SubAgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> SubAgentInfo:
    """Show a sub-agent."""
    return show_subagent(principal, await services.subagents.get(principal, subagent_id))


@router.put("/{subagent_id}", summary="Change a sub-agent", responses=errors("CONFLICT"))
async def replace_subagent(
    subagent_id: SubAgentPath,
    body: SubAgentReplace,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> SubAgentInfo:
    """Change what is given; a built-in one is replaced by creating one of its name."""
    changed = await services.subagents.change(principal, subagent_id, body.changes)
    return show_subagent(principal, changed)


@router.delete(
    "/{subagent_id}", status_code=204, summary="Delete a sub-agent", responses=errors("CONFLICT")
)
async def delete_subagent(
    subagent_id: SubAgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Delete it; what it replaced is used again, and what it did stays in the record."""
    await services.subagents.delete(principal, subagent_id)
    return Response(status_code=204)


@router.patch(
    "/{subagent_id}/enable", summary="Switch a sub-agent", responses=errors("LIMIT_REACHED")
)
async def enable_subagent(
    subagent_id: SubAgentPath,
    body: SubAgentEnable,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> SubAgentInfo:
    """Switch it on or off; a built-in one that is off is a copy that the tenant may change."""
    changed = await services.subagents.enable(principal, subagent_id, enabled=body.enabled)
    return show_subagent(principal, changed)


@router.get("/{subagent_id}/stats", summary="How a sub-agent has done")
async def get_subagent_stats(
    subagent_id: SubAgentPath, principal: CurrentPrincipal, services: ServicesDep
) -> SubAgentStats:
    """Show how often it was used, how well, how long it took, and what that cost.

    One that was deleted is found by its id as long as it has done anything.
    """
    statistics, use = await services.subagents.read_use(principal, subagent_id)
    return SubAgentStats(
        total_invocations=statistics.total_invocations,
        success_rate=statistics.success_rate,
        avg_execution_time_ms=statistics.avg_execution_time_ms,
        total_tokens=use.total_tokens,
        total_cost=use.total_cost,
        by_day=[SubAgentDayInfo.model_validate(day) for day in use.by_day],
    )
