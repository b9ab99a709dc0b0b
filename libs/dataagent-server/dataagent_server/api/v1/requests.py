"""What waits for a person: `/api/v1/requests`, `/sessions/{id}/requests`, `/requests/{id}`."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_core.errors import ValidationError
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.request import AnswerBody, RequestInfo, RequestList
from dataagent_server.api.openapi import errors
from dataagent_server.api.paths import SessionPath

router = APIRouter(tags=["requests"])
_InterruptPath = Annotated[
    str, Path(alias="interrupt_id", min_length=1, max_length=255, pattern=r"^[^\x00]+$")
]


@router.get("/requests", summary="What waits for you")
async def list_all_requests(principal: CurrentPrincipal, services: ServicesDep) -> RequestList:
    """List the questions of your runs, or as an admin of everybody's, oldest first.

    An admin finds here the runs that wait at a budget which only an admin may raise.
    """
    found = await services.runs.service.requests_to_answer(principal)
    return RequestList(requests=[RequestInfo.of(one) for one in found])


@router.get("/sessions/{session_id}/requests", summary="What a session asks of a person")
async def list_requests(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> RequestList:
    """List the questions that wait for an answer, oldest first."""
    await services.sessions.get(principal, session_id)
    found = await services.runs.service.open_requests(principal, session_id)
    return RequestList(requests=[RequestInfo.of(one) for one in found])


@router.post("/requests/{interrupt_id}", summary="Answer a request", responses=errors("CONFLICT"))
async def answer_request(
    interrupt_id: _InterruptPath,
    body: AnswerBody,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> RequestInfo:
    """Answer a question; the first answer counts, a later one is a conflict.

    Approvals take approve (scope once or always), edit (args), respond (message) or reject;
    questions take answer; doom loops stop, continue, correct or skip.
    """
    if body.interrupt_id not in (None, interrupt_id):
        raise ValidationError(
            f"interrupt_id is {body.interrupt_id!r:.100} in the body and another in the path."
        )
    answered = await services.runs.service.answer(principal, interrupt_id, body.decision)
    return RequestInfo.of(answered)
