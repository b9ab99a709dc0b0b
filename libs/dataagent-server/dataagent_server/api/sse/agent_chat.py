"""`POST /api/v1/agent/chat` (S2 §14.1): say something and watch what comes of it."""

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.events.system import Mode
from dataagent_core.ids import new_id
from dataagent_core.planning.plan_terms import MessagePlanning
from dataagent_server.api.chat.run_events import until_rest
from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.chat import (
    MODE_OF_MESSAGE,
    MODEL_OF_MESSAGE,
    PLANNING_OF_MESSAGE,
    MessageContext,
    context_of,
    planning_of,
)
from dataagent_server.api.models.fields import ChosenId, ModelName, Prompt
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import IdempotencyHeader
from dataagent_server.api.sse.event_stream import EventStream
from dataagent_server.api.sse.open_stream import open_stream, take_connection
from dataagent_server.api.sse.session_events import STREAM
from dataagent_server.runs.idempotency import key_for

router = APIRouter(prefix="/api/v1", tags=["chat"])


class AgentChatRequest(BaseModel):
    """What a person says; without a conversation a new one is made."""

    model_config = ConfigDict(
        frozen=True, json_schema_extra={"examples": [{"message": "What is in my workspace?"}]}
    )

    message: Prompt
    conversation_id: ChosenId | None = Field(default=None, description="A session's id")
    project_id: ChosenId | None = Field(default=None, description="Project of a new conversation")
    assistant_id: ChosenId | None = None
    model: ModelName | None = Field(default=None, description=MODEL_OF_MESSAGE)
    mode: Mode | None = Field(default=None, description=MODE_OF_MESSAGE)
    context: MessageContext | None = None
    planning: MessagePlanning | None = Field(default=None, description=PLANNING_OF_MESSAGE)


@router.post(
    "/agent/chat",
    summary="Send a message and stream the answer (S2)",
    response_class=StreamingResponse,
    responses=STREAM | errors("NOT_FOUND", "CONFLICT", "SESSION_BUSY"),
)
async def agent_chat(
    body: AgentChatRequest,
    principal: CurrentPrincipal,
    services: ServicesDep,
    idempotency_key: IdempotencyHeader = None,
) -> EventStream:
    """Start a run and stream its events until it is done, or waits for a person.

    The run belongs to the server: when you leave it goes on, and
    `/sessions/{conversation_id}/events/stream` follows it from the last `id` you saw. The same
    request under the same `Idempotency-Key` starts nothing and streams the same run.
    """
    key = None
    if idempotency_key is not None:
        key = key_for(
            principal.tenant_id, principal.user_id, idempotency_key, "agent", body.model_dump()
        )
    request = MessageRequest(
        text=body.message,
        session_id=body.conversation_id,
        assistant_id=body.assistant_id,
        project_id=body.project_id,
        model=body.model,
        mode=body.mode,
        new_session_id=new_id(),
        context=context_of(body.context),
        planning=planning_of(body.planning),
        key=key,
    )
    # Taken first: a message that cannot be watched is not started.
    watched = body.conversation_id or request.new_session_id or ""
    connection = take_connection(services, principal, watched)
    try:
        started = await start_run(services, principal, request)
    except BaseException:
        services.connections.disconnect(connection)
        raise
    run = started.run
    batches = until_rest(services, principal, run, started.after)
    return open_stream(services, principal, run.session_id, connection, batches)
