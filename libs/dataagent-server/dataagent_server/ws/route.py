"""The WebSocket route: authenticates, checks the right and the capacity, then accepts.

A refusal is sent before the upgrade, with the error's own status
(`api/middleware/errors/last_resort.py`).
"""

from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from dataagent_core.errors import ValidationError
from dataagent_server.api.chat.live_events import AccessWatch, log_of
from dataagent_server.api.deps import PresentedDep, ServicesDep, tell_middleware
from dataagent_server.api.limits import SEQ_MAX
from dataagent_server.ws.chat import ChatSocket

router = APIRouter()


@router.websocket("/ws/chat/{session_id}")
async def chat_socket(
    websocket: WebSocket,
    session_id: str,
    services: ServicesDep,
    presented: PresentedDep,
    *,
    ticket: Annotated[str | None, Query()] = None,
    after: Annotated[int | None, Query(ge=0, le=SEQ_MAX)] = None,
) -> None:
    """Talk in a session and follow it: from `after` on, else from now on."""
    principal = await services.authenticator.websocket(
        presented, session_id=session_id, ticket=ticket
    )
    tell_middleware(websocket, principal)
    await services.sessions.get(principal, session_id)
    last = await log_of(services, principal.tenant_id).last_seq(session_id)
    if after is not None and after > last:
        raise ValidationError(f"after is {after}; the session has come to {last}.")
    connection = services.connections.connect(principal.tenant_id, principal.user_id, session_id)
    try:
        await websocket.accept()
        watch = AccessWatch(services, principal, session_id)
        await ChatSocket(websocket, services, watch, session_id).serve(
            last if after is None else after
        )
    finally:
        services.connections.disconnect(connection)
