"""`/api/v1/runs/{run_id}/feedback`: what people say of a finished run."""

from fastapi import APIRouter

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.sessions.feedback import FeedbackBody, RunFeedbackInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import RunPath

router = APIRouter(prefix="/runs/{run_id}/feedback", tags=["runs"])


@router.get("", summary="What people say of a run")
async def get_run_feedback(
    run_id: RunPath, principal: CurrentPrincipal, services: ServicesDep
) -> RunFeedbackInfo:
    """Show the last thumb and correction of each person."""
    return RunFeedbackInfo.of(run_id, await services.feedback.list(principal, run_id))


@router.post("", summary="Rate or correct a run", responses=errors("CONFLICT", "LIMIT_REACHED"))
async def give_run_feedback(
    run_id: RunPath, body: FeedbackBody, principal: CurrentPrincipal, services: ServicesDep
) -> RunFeedbackInfo:
    """Say how good a finished run was; your last word counts, and patterns learn from it."""
    said = await services.feedback.give(
        principal, run_id, rating=body.rating, correction=body.correction
    )
    return RunFeedbackInfo.of(run_id, said)
