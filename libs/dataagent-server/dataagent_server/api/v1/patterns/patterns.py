"""`/api/v1/agent/patterns`: ways of working that were learned (S2 §14.2, §6.5.8)."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_core.errors import ConflictError, ValidationError
from dataagent_core.patterns import PatternState
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.patterns.pattern_bodies import PatternCreate, PatternUpdate
from dataagent_server.api.models.patterns.pattern_info import PatternDetailInfo, PatternInfo
from dataagent_server.api.models.patterns.pattern_offers import PatternOfferInfo, PatternShare
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging
from dataagent_server.api.v1.patterns.shared import PatternPath, show_pattern
from dataagent_server.common.errors import PatternVersionError
from dataagent_server.common.ids import TenantId

router = APIRouter(prefix="/agent/patterns", tags=["patterns"])


@router.get("", summary="List patterns")
async def list_patterns(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    *,
    state: Annotated[PatternState | None, Query(description="Only those in this state now")] = None,
    mine: Annotated[bool, Query(description="Only your own")] = False,
    tenant_id: Annotated[
        str | None, Query(pattern=ID_PATTERN, description="S2's; your own tenant, or left out")
    ] = None,
) -> Page[PatternInfo]:
    """List your patterns and those in use, for admins all; the last changed first.

    A page may have less than its `limit` and still a `next`.
    """
    if tenant_id not in {None, principal.tenant_id}:
        raise ValidationError(f"tenant_id is {tenant_id!r}: patterns of your own tenant are shown.")
    page = await services.patterns.list(principal, page_request, state=state, mine=mine)
    rights = await services.workflows.list_rights(principal, page.items)
    return Page(items=[PatternInfo.of(one, rights[one.id]) for one in page.items], next=page.next)


@router.post(
    "", status_code=201, summary="Write a pattern", responses=errors("CONFLICT", "LIMIT_REACHED")
)
async def create_pattern(
    body: PatternCreate, principal: CurrentPrincipal, services: ServicesDep
) -> PatternDetailInfo:
    """Make a draft for the tenant, for admins; 409 when there is one for the same task."""
    made = await services.patterns.create(principal, body.pattern())
    return await show_pattern(services, principal, made.id)


@router.get("/{pattern_id}", summary="One pattern")
async def get_pattern(
    pattern_id: PatternPath, principal: CurrentPrincipal, services: ServicesDep
) -> PatternDetailInfo:
    """Show its steps, tools, decisions and corrections, and the runs it was learned from."""
    return await show_pattern(services, principal, pattern_id)


@router.patch("/{pattern_id}", summary="Change a pattern", responses=errors("CONFLICT"))
async def change_pattern(
    pattern_id: PatternPath,
    body: PatternUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> PatternDetailInfo:
    """Change your own pattern, as an admin any; 409 with the newer one when it has changed."""
    try:
        await services.patterns.change(principal, pattern_id, body.change())
    except ConflictError as error:
        shown = await show_pattern(services, principal, pattern_id)
        raise PatternVersionError(str(error), {"pattern": shown.model_dump(mode="json")}) from None
    return await show_pattern(services, principal, pattern_id)


@router.delete("/{pattern_id}", status_code=204, summary="Delete a pattern")
async def delete_pattern(
    pattern_id: PatternPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete your own pattern, as an admin any, and what of it was offered to other tenants."""
    await services.patterns.delete(principal, pattern_id)


@router.post("/{pattern_id}/useless", status_code=204, summary="Say that a pattern is useless")
async def mark_pattern_useless(
    pattern_id: PatternPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete it at once, whatever its counts are (S2 §6.5.7)."""
    await services.patterns.delete(principal, pattern_id, is_useless=True)


@router.post(
    "/{pattern_id}/share",
    status_code=201,
    summary="Offer a pattern to another tenant",
    responses=errors("LIMIT_REACHED"),
)
async def share_pattern(
    pattern_id: PatternPath,
    body: PatternShare,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> PatternOfferInfo:
    """Offer a scrubbed copy of it as it is now, for admins; an offer made before stays as it is.

    The other tenant has to accept it. Whether there is such a tenant is not said.
    """
    made = await services.pattern_sharing.offer(principal, pattern_id, TenantId(body.tenant_id))
    return PatternOfferInfo.of(made)
