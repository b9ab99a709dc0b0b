"""`/api/v1/sessions/{id}/context` and `/compact`: what a model is shown of a long conversation."""

from fastapi import APIRouter

from dataagent_core.context.report import last_report
from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.context import (
    CompactRequest,
    CompactResponse,
    SessionContext,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import IdempotencyHeader, SessionPath
from dataagent_server.runs.idempotency import key_for

router = APIRouter(prefix="/sessions/{session_id}", tags=["sessions"])


@router.get("/context", summary="How the window of the last model call was spent")
async def get_context(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> SessionContext:
    """Show what each part of the last request cost, and how much of it the provider had cached."""
    await services.sessions.get(principal, session_id)
    stores = services.runs.stores_of(principal.tenant_id)
    report = await last_report(stores.log, stores.checkpoints, session_id)
    return SessionContext.of(session_id, report)


@router.post(
    "/compact",
    status_code=202,
    summary="Show the history shorter from now on",
    responses=errors("NOT_FOUND", "SESSION_BUSY"),
)
async def compact_session(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    body: CompactRequest | None = None,
    idempotency_key: IdempotencyHeader = None,
) -> CompactResponse:
    """Replace all but the last two turns, in what the model is shown, by pins and a summary.

    Nothing stored is changed. It is a run of its own: `context_compressed` is among its events, or
    a warning that there is nothing to win. 409 while another run is under way.
    """
    keep = body.keep.strip() if body is not None else ""
    key = None
    if idempotency_key is not None:
        request_parts = {"session_id": session_id, "keep": keep}
        tenant_id, user_id = principal.tenant_id, principal.user_id
        key = key_for(tenant_id, user_id, idempotency_key, "compact", request_parts)
    request = MessageRequest(text=keep, session_id=session_id, kind="compaction", key=key)
    started = await start_run(services, principal, request)
    return CompactResponse(session_id=session_id, run_id=started.run.run_id)
