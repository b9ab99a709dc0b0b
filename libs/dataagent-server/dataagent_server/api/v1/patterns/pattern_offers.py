"""`/api/v1/agent/pattern-offers`: patterns that tenants offer to each other (S2 §6.5.8)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.patterns.pattern_info import PatternDetailInfo
from dataagent_server.api.models.patterns.pattern_offers import PatternOfferInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging
from dataagent_server.api.v1.patterns.shared import show_pattern

router = APIRouter(prefix="/agent/pattern-offers", tags=["patterns"])

_OfferPath = Annotated[str, Path(alias="offer_id", pattern=ID_PATTERN)]


@router.get("", summary="List offers of patterns")
async def list_pattern_offers(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    *,
    made: Annotated[bool, Query(description="Those your tenant has made")] = False,
) -> Page[PatternOfferInfo]:
    """List what other tenants offer to yours, or what yours offers; for admins."""
    sharing = services.pattern_sharing
    listed = sharing.list_made if made else sharing.list_open
    page = await listed(principal, page_request)
    return Page(items=[PatternOfferInfo.of(one) for one in page.items], next=page.next)


@router.post(
    "/{offer_id}/accept",
    status_code=201,
    summary="Accept an offered pattern",
    responses=errors("CONFLICT", "LIMIT_REACHED"),
)
async def accept_pattern_offer(
    offer_id: _OfferPath, principal: CurrentPrincipal, services: ServicesDep
) -> PatternDetailInfo:
    """Make the copy a draft of your tenant; it is used once your runs have shown that it works."""
    made = await services.pattern_sharing.accept(principal, offer_id)
    return await show_pattern(services, principal, made.id)


@router.post("/{offer_id}/decline", status_code=204, summary="Decline an offered pattern")
async def decline_pattern_offer(
    offer_id: _OfferPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Decline it; the other tenant is not told."""
    await services.pattern_sharing.decline(principal, offer_id)


@router.delete("/{offer_id}", status_code=204, summary="Withdraw an offer")
async def withdraw_pattern_offer(
    offer_id: _OfferPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Take back what your tenant has offered; a copy that was made of it stays."""
    await services.pattern_sharing.withdraw(principal, offer_id)
