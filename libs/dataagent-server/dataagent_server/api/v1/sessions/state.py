"""`GET /api/v1/sessions/{id}/state`: what a session is set to and plans just now (S0)."""

from fastapi import APIRouter

from dataagent_core.session import session_state
from dataagent_server.api.chat.live_events import log_of
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.session import SessionStateInfo
from dataagent_server.api.path_params import SessionPath

router = APIRouter(tags=["sessions"])


@router.get("/sessions/{session_id}/state", summary="A session's to-do list and state")
async def get_session_state(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> SessionStateInfo:
    """Show the agent's current to-do list, and whether it works without asking."""
    await services.sessions.get(principal, session_id)
    state = await session_state(log_of(services, principal.tenant_id), session_id)
    return SessionStateInfo.of(state)
