"""`/api/v1/tenants`: organisations and their limits."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.people.tenants import TenantChange, TenantCreate, TenantInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.identity.tenants.tenant import TenantLimits

router = APIRouter(prefix="/tenants", tags=["tenants"])

_TenantPath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("", summary="List tenants")
async def list_tenants(
    principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[TenantInfo]:
    """List your tenant; owners of the default tenant run the installation and see all of them."""
    return page_of(TenantInfo, await services.people.tenants.list(principal, page_request))


@router.post("", status_code=201, summary="Create a tenant", responses=errors("CONFLICT"))
async def create_tenant(
    body: TenantCreate, principal: CurrentPrincipal, services: ServicesDep
) -> TenantInfo:
    """Make a tenant without members; only owners of the default tenant may."""
    limits = TenantLimits(**body.limits.model_dump(exclude_none=True))
    made = await services.people.tenants.create(
        principal, body.name, tenant_id=body.tenant_id, limits=limits
    )
    return TenantInfo.model_validate(made)


@router.get("/{tenant_id}", summary="One tenant")
async def get_tenant(
    tenant_id: _TenantPath, principal: CurrentPrincipal, services: ServicesDep
) -> TenantInfo:
    """Show your tenant and its limits."""
    return TenantInfo.model_validate(await services.people.tenants.get(principal, tenant_id))


@router.patch("/{tenant_id}", summary="Change a tenant", responses=errors("CONFLICT"))
async def change_tenant(
    tenant_id: _TenantPath,
    body: TenantChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> TenantInfo:
    """Rename it as its owner; limits and suspension are for owners of the default tenant."""
    changed = await services.people.tenants.change(
        principal,
        tenant_id,
        name=body.name,
        limits=body.limits.model_dump(exclude_none=True) if body.limits else None,
        is_active=body.is_active,
        version=body.version,
    )
    return TenantInfo.model_validate(changed)
