"""A work plan in the log of a session, as a run would have written it."""

from dataagent_core.planning import PlanStep, WorkPlan
from dataagent_core.session.stores.bundle import Stores

PLAN_RUN = "r" * 32
STEPS = (
    PlanStep(step_number=1, description="dig"),
    PlanStep(step_number=2, description="fill", dependencies=(1,)),
    PlanStep(step_number=3, description="pour"),
)


async def store_plan(stores: Stores, session_id: str) -> WorkPlan:
    """Store a plan of three steps that is carried out."""
    plan = WorkPlan(id=PLAN_RUN, conversation_id=session_id, steps=STEPS)
    await stores.log.append(session_id, PLAN_RUN, [plan.to_event("made")])
    return plan
