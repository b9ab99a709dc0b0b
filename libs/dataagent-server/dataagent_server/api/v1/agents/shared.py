"""Finds an agent by its id, whether it is an assistant or a sub-agent, and shows sub-agents."""

from typing import Annotated

from fastapi import Path, Query

from dataagent_core.errors import NotFoundError
from dataagent_server.agents.assistants.assistant import Assistant
from dataagent_server.agents.subagents.tiers import ListedSubAgent
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.subagents import SubAgentInfo
from dataagent_server.composition import Services
from dataagent_server.identity.auth.features import list_withheld_tools
from dataagent_server.identity.auth.principal import Principal

AgentPath = Annotated[str, Path(alias="agent_id", pattern=ID_PATTERN)]
SubAgentPath = Annotated[str, Path(alias="subagent_id", pattern=ID_PATTERN)]
ProjectQuery = Annotated[
    str | None,
    Query(pattern=ID_PATTERN, description="With the sub-agents of this project"),
]


async def is_subagent(services: Services, principal: Principal, agent_id: str) -> bool:
    """Return whether an id is that of a sub-agent; an assistant of the same id goes first."""
    if not await services.subagents.exists(principal.tenant_id, agent_id):
        return False
    try:
        await services.assistants.find(principal.tenant_id, agent_id)
    except NotFoundError:
        return True
    return False


async def find_agent(
    services: Services, principal: Principal, agent_id: str
) -> Assistant | ListedSubAgent:
    """Find an assistant or a sub-agent."""
    if await is_subagent(services, principal, agent_id):
        return await services.subagents.get(principal, agent_id)
    return await services.assistants.get(principal, agent_id)


def show_subagent(principal: Principal, listed: ListedSubAgent) -> SubAgentInfo:
    """Show a sub-agent to a person."""
    return SubAgentInfo.of(listed, list_withheld_tools(principal.features_off))
