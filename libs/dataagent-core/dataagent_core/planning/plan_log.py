"""Reads and changes a session's plan in its log.

A version of a plan is an event with an id of its own, which a log stores once. So of two people who
change one version at the same time the first wins, and the other one is told what the plan is now.
"""

from collections.abc import Collection, Sequence

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.planning.plan_edits import PlanEdit, apply_edits
from dataagent_core.planning.plan_projection import PLAN_EVENT_TYPES, fold_plan
from dataagent_core.planning.work_plan import WorkPlan
from dataagent_core.session.log import NO_RUN, EventLog, read_all


async def read_plan(log: EventLog, session_id: str, plan_id: str | None = None) -> WorkPlan | None:
    """Return the plan of that id (its run's), or the session's newest plan."""
    return fold_plan(await read_all(log, session_id, types=PLAN_EVENT_TYPES), plan_id)


class PlanChangedError(ConflictError):
    """Somebody else has changed the plan; `plan` is what it is now."""

    def __init__(self, plan: WorkPlan) -> None:
        super().__init__(
            f"the plan was changed meanwhile: it is at version {plan.version} now. Look at it, and "
            "make your change again."
        )
        self.plan = plan


async def edit_plan(
    log: EventLog,
    session_id: str,
    edits: Sequence[PlanEdit],
    *,
    version: int,
    by: str | None,
    agents: Collection[str] | None = None,
) -> WorkPlan:
    """Change the session's newest plan, also while its run goes on, and return it."""
    plan = await read_plan(log, session_id)
    if plan is None:
        raise NotFoundError(f"session {session_id!r} has no plan.")
    if plan.version != version:
        raise PlanChangedError(plan)
    changed = apply_edits(plan, edits, agents)
    stored = await log.append(session_id, NO_RUN, [changed.to_event("edited", by)])
    now = await read_plan(log, session_id, plan.id)
    if not stored:
        raise PlanChangedError(now or plan)
    return now or changed
