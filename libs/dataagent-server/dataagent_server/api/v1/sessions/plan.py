"""`/api/v1/sessions/{id}/plan`: a session's work plan, and a person's changes of it (S2 §4.2).

S2's name of it is `/api/v1/agent/conversations/{id}/plan` (`conversations.py`).
"""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.sessions.plan import PlanEditRequest, WorkPlanInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import SessionPath
from dataagent_server.api.plans import change_plan, load_plan

router = APIRouter(tags=["sessions"])
PlanQuery = Annotated[
    str | None, Query(pattern=ID_PATTERN, description="That of a run; the newest plan when unset")
]


@router.get("/sessions/{session_id}/plan", summary="A session's plan")
async def get_plan(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    plan_id: PlanQuery = None,
) -> WorkPlanInfo:
    """Show how the plan stands; 404 when there is none."""
    return await load_plan(services, principal, session_id, plan_id)


@router.patch(
    "/sessions/{session_id}/plan", summary="Change a session's plan", responses=errors("CONFLICT")
)
async def update_plan(
    session_id: SessionPath,
    body: PlanEditRequest,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> WorkPlanInfo:
    """Edit, move, skip or add steps of the newest plan, before or while it is carried out.

    409 when the plan has another version by now, which `details.plan` shows, and for a step that
    has begun. A change is a `work_plan` event.
    """
    return await change_plan(services, principal, session_id, body)
