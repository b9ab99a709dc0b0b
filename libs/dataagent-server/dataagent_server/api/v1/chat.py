"""`POST /api/v1/chat`: say something and wait for what comes of it; and stop it (S0)."""

from fastapi import APIRouter, Response

from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.api.chat.wait_for_run import outcome_of
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import ChatRequest, ChatResponse
from dataagent_server.api.models.chat import context_of, planning_of
from dataagent_server.api.models.sessions.run import CancelledResponse
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import IdempotencyHeader, SessionPath
from dataagent_server.runs.idempotency import key_for
from dataagent_server.runs.idempotency.idempotency_rows import settle
from dataagent_server.sessions.live.event_line import json_line

router = APIRouter(prefix="/chat", tags=["chat"])


@router.post(
    "",
    summary="Send a message and wait for the answer",
    dependencies=[WithoutTimeout],
    response_model=ChatResponse,
    responses=errors("NOT_FOUND", "CONFLICT", "SESSION_BUSY"),
)
async def chat(
    body: ChatRequest,
    principal: CurrentPrincipal,
    services: ServicesDep,
    idempotency_key: IdempotencyHeader = None,
) -> Response:
    """Start a run and answer when it is done, or when it waits for a person.

    Without `session_id` a new session is made. The run belongs to the server: it goes on when you
    leave, and when this request has waited too long (504; `details` names session and run). The
    same request under the same `Idempotency-Key` starts nothing and gets the same answer.
    """
    key = None
    if idempotency_key is not None:
        key = key_for(
            principal.tenant_id, principal.user_id, idempotency_key, "chat", body.model_dump()
        )
    request = MessageRequest(
        text=body.message,
        session_id=body.session_id,
        assistant_id=body.assistant_id,
        project_id=body.project_id,
        model=body.model,
        mode=body.mode,
        context=context_of(body.context),
        planning=planning_of(body.planning),
        key=key,
    )
    started = await start_run(services, principal, request)
    status, lines = await outcome_of(services, principal, started)
    if key is not None and started.answer is None:
        answer = {"status": status, "upto": lines[-1].seq if lines else started.after}
        await services.database.write(lambda c: settle(c, key, answer))
    body_sent = {
        "session_id": started.run.session_id,
        "events": [line.data for line in lines],
        "status": status,
        "run_id": started.run.run_id,
    }
    return Response(json_line(body_sent), media_type="application/json")


@router.post("/{session_id}/cancel", summary="Stop what is under way in a session")
async def cancel_chat(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> CancelledResponse:
    """Stop the session's run, or withdraw the question it waits with; what was done stays.

    404 when nothing is under way.
    """
    await services.sessions.get(principal, session_id)
    run = await services.runs.service.cancel_session(principal, session_id)
    return CancelledResponse(session_id=session_id, run_id=run.run_id)
