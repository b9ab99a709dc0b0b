"""A session's plan, under our name and S2's (`api/v1/sessions/conversations.py`)."""

from dataagent_core.planning.plan_log import PlanChangedError
from dataagent_server.api.models.sessions.plan import PlanEditRequest, WorkPlanInfo
from dataagent_server.common.errors import PlanVersionError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal


async def load_plan(
    services: Services, principal: Principal, session_id: str, plan_id: str | None
) -> WorkPlanInfo:
    """Return a plan of a session."""
    return WorkPlanInfo.of(await services.plans.get(principal, session_id, plan_id))


async def change_plan(
    services: Services, principal: Principal, session_id: str, body: PlanEditRequest
) -> WorkPlanInfo:
    """Change the newest plan of a session."""
    try:
        changed = await services.plans.edit(
            principal, session_id, body.edits, version=body.version, plan_id=body.plan_id
        )
    except PlanChangedError as error:
        now = WorkPlanInfo.of(error.plan)
        raise PlanVersionError(str(error), {"plan": now.model_dump(mode="json")}) from None
    return WorkPlanInfo.of(changed)
