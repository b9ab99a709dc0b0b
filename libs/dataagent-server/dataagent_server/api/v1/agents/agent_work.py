"""`/api/v1/agents/{agent_id}/invoke` and `/activities`: a task for one agent, and what it did."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_server.agents.assistants.assistant import Assistant
from dataagent_server.agents.subagents.availability import find_problems
from dataagent_server.agents.subagents.tiers import ListedSubAgent
from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.chat import MessageContext, SubAgentChoice, context_of
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.subagents import ActivityInfo, AgentInvoke, InvokedResponse
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.api.path_params import IdempotencyHeader
from dataagent_server.api.v1.agents.shared import AgentPath, find_agent
from dataagent_server.common.pagination import make_page
from dataagent_server.composition import Services
from dataagent_server.identity.auth import Resource, may
from dataagent_server.identity.auth.features import list_withheld_tools
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.history.activity_lists import (
    ActivityFilter,
    has_activities,
    list_activities,
)
from dataagent_server.runs.idempotency import key_for

router = APIRouter(prefix="/agents/{agent_id}", tags=["agents"])

SessionQuery = Annotated[str | None, Query(pattern=ID_PATTERN, description="Only in this session")]


@router.post(
    "/invoke",
    status_code=202,
    summary="Give an agent a task",
    responses=errors("CONFLICT", "SESSION_BUSY"),
)
async def invoke_agent(
    agent_id: AgentPath,
    body: AgentInvoke,
    principal: CurrentPrincipal,
    services: ServicesDep,
    idempotency_key: IdempotencyHeader = None,
) -> InvokedResponse:
    """Start a run with this assistant, or one that delegates to this sub-agent for certain.

    The same request under the same `Idempotency-Key` starts nothing and gets the same answer.
    """
    found = await find_agent(services, principal, agent_id)
    project_id, context = body.project_id, dict[str, Any]()
    if isinstance(found, ListedSubAgent):
        project_id = await _find_project(services, principal, body, found)
        choice = SubAgentChoice(use=[found.subagent.name])
        context = context_of(MessageContext(subagents=choice))
    key = None
    if idempotency_key is not None:
        parts = body.model_dump() | {"agent_id": agent_id}
        key = key_for(principal.tenant_id, principal.user_id, idempotency_key, "invoke", parts)
    request = MessageRequest(
        text=body.message,
        session_id=body.session_id,
        assistant_id=None if isinstance(found, ListedSubAgent) else found.assistant_id,
        project_id=project_id,
        context=context,
        key=key,
    )
    started = await start_run(services, principal, request)
    return InvokedResponse(session_id=started.run.session_id, run_id=started.run.run_id)


@router.get("/activities", summary="What an agent did")
async def list_agent_activities(
    agent_id: AgentPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    paging: Paging,
    session_id: SessionQuery = None,
) -> Page[ActivityInfo]:
    """List a sub-agent's tasks and the calls in them, the newest first.

    Of an assistant: those of all sub-agents in its runs. Admins see everybody's, others what was
    done in their own sessions. A sub-agent that was deleted is found by its id.
    """
    is_assistant = False
    if agent_id != GENERAL_PURPOSE:
        is_assistant = await _is_assistant(services, principal, agent_id)
    anybodys = Resource(principal.tenant_id, "session", owner_id="")
    wanted = ActivityFilter(
        agent_id=agent_id,
        is_assistant=is_assistant,
        session_id=session_id,
        user_id=None if may(principal, "session.read", anybodys) else principal.user_id,
    )
    found = await services.database.read(
        lambda c: list_activities(c, principal.tenant_id, wanted, paging)
    )
    page = make_page(found, paging, lambda one: (one.started_at, one.id))
    return page_of(ActivityInfo, page)


async def _is_assistant(services: Services, principal: Principal, agent_id: str) -> bool:
    try:
        return isinstance(await find_agent(services, principal, agent_id), Assistant)
    except NotFoundError:
        tenant_id = principal.tenant_id
        if not await services.database.read(lambda c: has_activities(c, tenant_id, agent_id)):
            raise
        return False


async def _find_project(
    services: Services, principal: Principal, body: AgentInvoke, listed: ListedSubAgent
) -> str | None:
    """Return the project of the run; in it the name must mean exactly this sub-agent."""
    wanted = listed.subagent
    project_id = body.project_id
    if body.session_id is not None:
        project_id = (await services.sessions.get(principal, body.session_id)).project_id
    elif project_id is None:
        project_id = wanted.project_id
    if wanted.project_id not in {None, project_id}:
        raise ValidationError(
            f"The sub-agent {wanted.name!r} belongs to the project {wanted.project_id!r}. "
            "Invoke it in a session of that project."
        )
    if not wanted.enabled:
        raise ConflictError(f"The sub-agent {wanted.name!r} is switched off. Switch it on first.")
    unavailable = find_problems(wanted, list_withheld_tools(principal.features_off)).unavailable
    if unavailable is not None:
        raise ConflictError(f"{wanted.name!r} was asked for, but {unavailable}")
    used = await services.subagents.subagents_for(principal.tenant_id, project_id)
    if wanted.id not in {one.id for one in used}:
        raise ConflictError(
            f"Another sub-agent named {wanted.name!r} is used here instead. Invoke that one."
        )
    return body.project_id if body.session_id is not None else project_id
