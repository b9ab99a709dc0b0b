"""`/api/v1/sessions/{id}/shares`: who else in the tenant may see a session, or answer for it."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.sessions.session_shares import SessionShare, SessionShareInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import SessionPath
from dataagent_server.sessions.share_rows import Share

router = APIRouter(prefix="/sessions", tags=["sessions"])
_UserPath = Annotated[str, Path(alias="user_id", pattern=ID_PATTERN)]


@router.get("/{session_id}/shares", summary="Whom a session is shared with")
async def list_session_shares(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> Page[SessionShareInfo]:
    """List everybody a session is shared with, beside its owner."""
    return _make_page(await services.sharing.shares(principal, session_id))


@router.put(
    "/{session_id}/shares/{user_id}",
    summary="Share a session",
    responses=errors("NOT_FOUND", "CONFLICT"),
)
async def share_session(
    session_id: SessionPath,
    user_id: _UserPath,
    body: SessionShare,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> Page[SessionShareInfo]:
    """Let somebody of your tenant see a session of yours, or see it and answer its requests.

    Who may answer decides for you, this once: rules for good stay yours to make, and nobody you
    share with can write messages, stop a run, or change the session.
    """
    return _make_page(await services.sharing.share(principal, session_id, user_id, body.permission))


@router.delete(
    "/{session_id}/shares/{user_id}",
    status_code=204,
    summary="Stop sharing a session",
    responses=errors("NOT_FOUND"),
)
async def unshare_session(
    session_id: SessionPath,
    user_id: _UserPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> None:
    """Take somebody's right away and end their open streams; you can always give up your own."""
    await services.sharing.unshare(principal, session_id, user_id)


def _make_page(shares: list[Share]) -> Page[SessionShareInfo]:
    return Page(items=[SessionShareInfo.of(share) for share in shares], total=len(shares))
