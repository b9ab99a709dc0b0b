"""`GET .../events/stream`: read any session, from any number on, then live (PROTOCOL.md)."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter

from dataagent_core.errors import ValidationError
from dataagent_core.events.sse import SSEEvent
from dataagent_server.api.chat.live_events import lines_after, log_of
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.limits import KEEPALIVE_S
from dataagent_server.api.path_params import ConversationPath, Seq, SessionPath
from dataagent_server.api.sse.event_stream import MEDIA_TYPE, EventStream
from dataagent_server.api.sse.frames import LAST_EVENT_ID_PATTERN, last_event_id
from dataagent_server.api.sse.open_stream import open_stream, take_connection
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

router = APIRouter(prefix="/api/v1", tags=["sessions"])

# One event of the stream; the key is the one OpenAPI 3.2 has for streams, which tools read already.
_EVENT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$"},
        "event": {"type": "string"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": TypeAdapter(SSEEvent).json_schema(),
        },
    },
    "required": ["event", "data"],
}
STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Events as they happen: `id` is an event's number, `event` its S2 type",
        "content": {
            MEDIA_TYPE: {
                "itemSchema": _EVENT,
                "example": 'id: 2\nevent: text_delta\ndata: {"type":"text_delta","data":'
                '{"delta":"Hello"},"timestamp":"2026-01-15T10:00:00Z","conversation_id":"a1b2",'
                '"event_id":"c3d4"}\n\n',
            }
        },
    }
}
_LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        description="The last `id` seen; counts before `after`",
        pattern=LAST_EVENT_ID_PATTERN,
    ),
]


@router.get(
    "/sessions/{session_id}/events/stream",
    summary="Follow a session",
    response_class=StreamingResponse,
    responses=STREAM,
)
async def stream_events(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    after: Seq = 0,
    last_id: _LastEventId = None,
) -> EventStream:
    """Replay what came after a number, then go on live: no gap, no repeat.

    A comment every 15 seconds shows that it is still there. Every 5 minutes the key or log-in is
    looked at again; one that is no longer valid ends the stream with an `error` event.
    """
    return await _follow(services, principal, session_id, after, last_id)


@router.get(
    "/agent/conversations/{conversation_id}/events/stream",
    summary="Follow a conversation (S2)",
    response_class=StreamingResponse,
    responses=STREAM,
)
async def stream_conversation_events(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    after: Seq = 0,
    last_id: _LastEventId = None,
) -> EventStream:
    """Do the same as `/sessions/{session_id}/events/stream`, under S2's name."""
    return await _follow(services, principal, conversation_id, after, last_id)


async def _follow(
    services: Services, principal: Principal, session_id: str, after: int, last_id: str | None
) -> EventStream:
    begin = after if last_id is None else last_event_id(last_id)
    await services.sessions.get(principal, session_id)
    last = await log_of(services, principal.tenant_id).last_seq(session_id)
    if begin > last:
        raise ValidationError(f"the session has come to {last}; there is no event {begin}.")
    connection = take_connection(services, principal, session_id)
    tenant_id = principal.tenant_id
    batches = lines_after(services, tenant_id, session_id, begin, idle_s=KEEPALIVE_S)
    return open_stream(services, principal, session_id, connection, batches)
