"""`GET /api/v1/sessions/{id}/messages`: what was said (S0 properties 45, 46)."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.limits import MESSAGES_MAX, SEQ_MAX
from dataagent_server.api.models.sessions.message import MessageInfo, MessageList
from dataagent_server.api.path_params import SessionPath

router = APIRouter(tags=["sessions"])


@router.get("/sessions/{session_id}/messages", summary="The messages of a session")
async def list_messages(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=MESSAGES_MAX)] = MESSAGES_PAGE_DEFAULT,
    offset: Annotated[int, Query(ge=0, le=SEQ_MAX)] = 0,
) -> MessageList:
    """List messages in the order they were said."""
    await services.sessions.get(principal, session_id)
    store = services.runs.stores_of(principal.tenant_id).messages
    found = await store.get_messages(session_id, limit + 1, offset)
    shown = [MessageInfo.of(message) for message in found[:limit]]
    return MessageList(messages=shown, has_more=len(found) > limit)
