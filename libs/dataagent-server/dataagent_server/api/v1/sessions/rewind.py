"""`/api/v1/sessions/{id}/rewind` and `/changes`: what the agent did to files, and the way back."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.rewind import (
    MESSAGE_PATTERN,
    ChangesInfo,
    RewindRequest,
    RewoundInfo,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import SessionPath

router = APIRouter(tags=["sessions"])


@router.post(
    "/sessions/{session_id}/rewind",
    summary="Take the workspace back to before a message",
    responses=errors("SESSION_BUSY", "CONFLICT"),
)
async def rewind_session(
    session_id: SessionPath,
    body: RewindRequest,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> RewoundInfo:
    """Restore what only the agent changed since; what others changed is listed and left.

    409 while a run is under way or queued; 404 when the snapshots are gone. It may be repeated.
    """
    done = await services.rewinder.rewind(principal, session_id, body.message_id)
    return RewoundInfo.of(done)


@router.get("/sessions/{session_id}/changes", summary="What the agent changed in files")
async def list_changes(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    since: Annotated[str | None, Query(pattern=MESSAGE_PATTERN)] = None,
) -> ChangesInfo:
    """List the changes since a message, or in the whole session, each as a whole with its diff."""
    return ChangesInfo.of(await services.rewinder.changes(principal, session_id, since))
