"""`/api/v1/tools`: what your agent has, where it comes from, and what the rules say to it."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.tools import ToolInfo, ToolList
from dataagent_server.api.openapi import errors
from dataagent_server.runs.agents.tool_list import list_tools

router = APIRouter(prefix="/tools", tags=["agents"])

_Id = Annotated[str | None, Query(pattern=ID_PATTERN)]


@router.get(
    "",
    summary="What your agent has",
    # An agent is made for it, which may find that no model is set up.
    responses=errors("NOT_FOUND", "CONFLICT", "CONFIGURATION_ERROR"),
)
async def list_agent_tools(
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: _Id = None,
    assistant_id: _Id = None,
) -> ToolList:
    """List the tools a run of yours would have now, with those of your MCP servers that answer."""
    usable = await services.assistants.resolve_id(principal, assistant_id)
    if project_id is not None:
        await services.people.projects.get(principal, project_id)
    runs = services.runs
    found = await list_tools(
        runs.agents, runs.rules, principal, assistant_id=usable, project_id=project_id
    )
    return ToolList(tools=[ToolInfo.of(tool) for tool in found.tools], notes=list(found.warnings))
