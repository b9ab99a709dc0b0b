"""What waits for a person: `/api/v1/requests`, `/sessions/{id}/requests`, `/requests/{id}`."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_core.errors import ValidationError
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.request import AnswerBody, RequestInfo, RequestList
from dataagent_server.api.models.sessions.request_effect import FileEffectInfo, RequestEffect
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import SessionPath
from dataagent_server.runs.file_effects import file_effect

router = APIRouter(tags=["requests"])
_InterruptPath = Annotated[
    str, Path(alias="interrupt_id", min_length=1, max_length=255, pattern=r"^[^\x00]+$")
]


@router.get("/requests", summary="What waits for you")
async def list_all_requests(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    mine: Annotated[
        bool, Query(description="Only of your own runs and of sessions shared for you to answer")
    ] = False,
) -> RequestList:
    """List the questions of your runs, or as an admin of everybody's, oldest first.

    An admin finds here the runs that wait at a budget which only an admin may raise.
    """
    found = await services.runs.service.requests_to_answer(principal, mine=mine)
    return RequestList(requests=[RequestInfo.of(one) for one in found])


@router.get("/sessions/{session_id}/requests", summary="What a session asks of a person")
async def list_requests(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> RequestList:
    """List the questions that wait for an answer, oldest first."""
    await services.sessions.get(principal, session_id)
    found = await services.runs.service.open_requests(principal, session_id)
    return RequestList(requests=[RequestInfo.of(one) for one in found])


@router.get(
    "/requests/{interrupt_id}/effect",
    summary="What a request would change",
    responses=errors("CONFLICT"),
)
async def get_request_effect(
    interrupt_id: _InterruptPath, principal: CurrentPrincipal, services: ServicesDep
) -> RequestEffect:
    """Compare a file with what the call that waits would make of it, for who may answer.

    It is looked up now, in the workspace of the run: the file may be another when the call runs.
    Only calls that change one file have one; of all others their arguments are all there is.
    """
    action, run = await services.runs.service.find_open_request(principal, interrupt_id)
    files = services.workspaces.files
    effect = None if action is None else await file_effect(files, run, action)
    return RequestEffect(file=None if effect is None else FileEffectInfo.model_validate(effect))


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
