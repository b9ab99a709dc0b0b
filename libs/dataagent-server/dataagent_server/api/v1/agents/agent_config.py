"""`/api/v1/tenant/agent-config`: the tenant's defaults for its sub-agents (S2 §4.1)."""

from fastapi import APIRouter

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.subagents import AgentConfigBody, AgentConfigInfo

router = APIRouter(prefix="/tenant/agent-config", tags=["agents"])


@router.get("", summary="The tenant's defaults for sub-agents")
async def get_agent_config(principal: CurrentPrincipal, services: ServicesDep) -> AgentConfigInfo:
    """Show the defaults of what a sub-agent leaves out."""
    return AgentConfigInfo.model_validate(await services.agent_configs.get(principal))


@router.put("", summary="Replace the tenant's defaults for sub-agents")
async def put_agent_config(
    body: AgentConfigBody, principal: CurrentPrincipal, services: ServicesDep
) -> AgentConfigInfo:
    """Give all of them anew; for admins. The next runs of the tenant use them."""
    changed = await services.agent_configs.put(principal, body.config)
    return AgentConfigInfo.model_validate(changed)
