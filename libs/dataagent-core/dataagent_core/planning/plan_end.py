"""What becomes of a plan whose run is over, whatever ended the run. Pure."""

from dataclasses import replace

from dataagent_core.planning.work_plan import PlanStatus, StepStatus, WorkPlan


def end_plan(plan: WorkPlan, *, completed: bool) -> WorkPlan:
    """Return an open plan as it is when its run is over: nothing of it goes on.

    What was under way has failed, and what had not begun stays so.
    """
    steps = tuple(
        replace(step, status=StepStatus.FAILED) if step.status is StepStatus.IN_PROGRESS else step
        for step in plan.steps
    )
    open_steps = any(step.status is StepStatus.PENDING for step in steps)
    if completed and plan.status is PlanStatus.PLANNING:
        status = PlanStatus.FALLBACK
    elif completed and steps == plan.steps and not open_steps:
        status = PlanStatus.COMPLETED
    else:
        status = PlanStatus.FAILED
    return replace(plan, status=status, steps=steps)
