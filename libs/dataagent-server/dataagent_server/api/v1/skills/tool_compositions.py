"""`/api/v1/tool-compositions`: tools that are called as one, of the tenant or of a project."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_core.tools.composition import propose_order
from dataagent_core.tools.effects import Effect
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.skills.compositions import (
    CompositionMeasures,
    CompositionProblems,
    CompositionProposalInfo,
    ToolCompositionChange,
    ToolCompositionCreate,
    ToolCompositionInfo,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging
from dataagent_server.runs.agents.tool_list import list_tools

router = APIRouter(prefix="/tool-compositions", tags=["skills"])

_CompositionPath = Annotated[str, Path(alias="composition_id", pattern=ID_PATTERN)]
_Project = Annotated[
    str | None,
    Query(alias="project_id", pattern=ID_PATTERN, description="Those of a project too"),
]


@router.get("", summary="List tool compositions", responses=errors("NOT_FOUND"))
async def list_tool_compositions(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    project_id: _Project = None,
) -> Page[ToolCompositionInfo]:
    """List the tenant's compositions and, with a project, the project's; the oldest first."""
    page = await services.compositions.list(principal, project_id, page_request)
    return Page(items=[ToolCompositionInfo.of(one) for one in page.items], next=page.next)


@router.post(
    "",
    status_code=201,
    summary="Create a tool composition",
    responses=errors("NOT_FOUND", "CONFLICT", "LIMIT_REACHED"),
)
async def create_tool_composition(
    body: ToolCompositionCreate, principal: CurrentPrincipal, services: ServicesDep
) -> ToolCompositionInfo:
    """Make one for every agent of the tenant, or of a project; for admins and its owner."""
    made = await services.compositions.create(principal, body.project_id, body.wishes())
    return ToolCompositionInfo.of(made)


@router.post("/validate", summary="Check a tool composition", responses=errors("NOT_FOUND"))
async def validate_tool_composition(
    body: ToolCompositionCreate, principal: CurrentPrincipal, services: ServicesDep
) -> CompositionProblems:
    """List what is wrong with one before it is stored; nothing is stored."""
    problems = await services.compositions.check(principal, body.project_id, body.wishes())
    return CompositionProblems(problems=list(problems))


@router.get("/{composition_id}", summary="One tool composition")
async def get_tool_composition(
    composition_id: _CompositionPath, principal: CurrentPrincipal, services: ServicesDep
) -> ToolCompositionInfo:
    """Show a composition with its counts."""
    return ToolCompositionInfo.of(await services.compositions.get(principal, composition_id))


@router.get("/{composition_id}/members", summary="What a composition's members take")
async def get_composition_members(
    composition_id: _CompositionPath, principal: CurrentPrincipal, services: ServicesDep
) -> CompositionMeasures:
    """Show how often each member was called, failed, and how long it took."""
    return CompositionMeasures.of(
        await services.compositions.read_members(principal, composition_id)
    )


@router.post(
    "/{composition_id}/optimize",
    summary="Propose a better order of the steps",
    # An agent is made for the effects of its tools, which may find that no model is set up.
    responses=errors("CONFLICT", "CONFIGURATION_ERROR"),
)
async def optimize_tool_composition(
    composition_id: _CompositionPath, principal: CurrentPrincipal, services: ServicesDep
) -> CompositionProposalInfo:
    """Say which steps may change places or run at the same time, by what was measured.

    Nothing changes: send `tools`, `execution_template` and `number` of the answer with `PUT`.
    """
    record = await services.compositions.get(principal, composition_id)
    measured = await services.compositions.read_members(principal, composition_id)
    runs = services.runs
    found = await list_tools(
        runs.agents,
        runs.rules,
        principal,
        assistant_id=await services.assistants.resolve_id(principal, None),
        project_id=record.project_id or None,
    )
    effects: dict[str, Effect] = {tool.name: tool.effect for tool in found.tools}
    proposal = propose_order(record.composition, measured, effects)
    return CompositionProposalInfo.of(record, proposal)


@router.put("/{composition_id}", summary="Change a tool composition", responses=errors("CONFLICT"))
async def change_tool_composition(
    composition_id: _CompositionPath,
    body: ToolCompositionChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> ToolCompositionInfo:
    """Change what is given; other tools, steps or fallbacks are rated anew."""
    changed = await services.compositions.change(
        principal, composition_id, body.wishes(), body.number
    )
    return ToolCompositionInfo.of(changed)


@router.delete("/{composition_id}", status_code=204, summary="Delete a tool composition")
async def delete_tool_composition(
    composition_id: _CompositionPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete one with its counts; runs in progress keep it."""
    await services.compositions.delete(principal, composition_id)
