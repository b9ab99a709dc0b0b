"""`/api/v1/mentions`: what a message names with `@`, asked before it is sent."""

from fastapi import APIRouter

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.mentions import MentionsAsked, MissingMentions
from dataagent_server.api.openapi import errors
from dataagent_server.identity.auth import Resource, require
from dataagent_server.runs.agents.agent_pool import ToolListSubject

router = APIRouter(prefix="/mentions", tags=["chat"])


@router.post(
    "/missing",
    summary="Names that nothing has",
    # An agent is made for it, which may find that no model is set up.
    responses=errors("NOT_FOUND", "CONFLICT", "CONFIGURATION_ERROR"),
)
async def list_missing_mentions(
    body: MentionsAsked, principal: CurrentPrincipal, services: ServicesDep
) -> MissingMentions:
    """List the names with `@` for which nothing would be attached; nothing is sent or stored.

    Code, addresses of mail and packages of npm are not taken for names.
    """
    tenant_id, user_id = principal.tenant_id, principal.user_id
    require(principal, "run.start", Resource(tenant_id, "run", owner_id=user_id))
    usable = await services.assistants.resolve_id(principal, body.assistant_id)
    if body.project_id is not None:
        await services.people.projects.get(principal, body.project_id)
    whom = ToolListSubject(tenant_id, user_id, usable, body.project_id)
    async with services.runs.agents.build_temporary(whom) as executor:
        return MissingMentions(names=await executor.missing_mentions(body.text))
