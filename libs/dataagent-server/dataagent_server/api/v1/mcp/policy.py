"""`/api/v1/mcp/policy`: what MCP programs may do in a tenant."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.mcp_servers import PolicyChange, PolicyInfo
from dataagent_server.api.openapi import errors

router = APIRouter(prefix="/mcp/policy", tags=["mcp"])

_TenantQuery = Annotated[
    str | None,
    Query(
        alias="tenant_id",
        pattern=ID_PATTERN,
        description="Another tenant's, for whoever runs the installation",
    ),
]


@router.get("", summary="What MCP programs may do", responses=errors("NOT_FOUND"))
async def get_mcp_policy(
    principal: CurrentPrincipal, services: ServicesDep, tenant_id: _TenantQuery = None
) -> PolicyInfo:
    """Show which commands may be started, and what they are given."""
    return PolicyInfo.model_validate(await services.mcp.policy.get(principal, tenant_id))


@router.patch("", summary="Change what MCP programs may do", responses=errors("NOT_FOUND"))
async def change_mcp_policy(
    body: PolicyChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
    tenant_id: _TenantQuery = None,
) -> PolicyInfo:
    """Allow commands as an admin; folders and the widest network are the operator's to open."""
    changed = await services.mcp.policy.change(principal, body.values(), tenant_id)
    return PolicyInfo.model_validate(changed)
