"""`PUT /api/v1/sessions/{id}/mode`: how much the agent may do by itself."""

from fastapi import APIRouter

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.session import SessionMode, SessionModeChange
from dataagent_server.api.path_params import SessionPath

router = APIRouter(tags=["sessions"])


@router.put("/sessions/{session_id}/mode", summary="Switch a session's mode")
async def switch_mode(
    session_id: SessionPath,
    body: SessionModeChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> SessionMode:
    """Let the agent ask, only plan, or work by itself within the rules.

    A run under way follows from its next call on; a question that waits already stays. Every
    switch is a `mode_changed` event; the mode a session is in already is none.
    """
    events = await services.sessions.switch_mode(principal, session_id, body.mode)
    services.runs.hub.publish(principal.tenant_id, session_id, events)
    return SessionMode(session_id=session_id, mode=body.mode)
