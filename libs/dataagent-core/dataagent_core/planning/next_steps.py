"""What a plan needs next: which steps can begin, and which can no longer. Pure.

A step waits for those it depends on. One that was left out counts as done; one that failed stops
those behind it until the rest is planned again (`engine/loops/plan_creation.py`).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from dataagent_core.planning.work_plan import OPEN, PlanStatus, PlanStep, StepStatus, WorkPlan

_DONE = frozenset({StepStatus.COMPLETED, StepStatus.SKIPPED})


def list_ready(plan: WorkPlan) -> list[PlanStep]:
    """List the steps that could begin now, in the order of the plan."""
    done = {step.step_number for step in plan.steps if step.status in _DONE}
    return [
        step
        for step in plan.steps
        if step.status is StepStatus.PENDING and done.issuperset(step.dependencies)
    ]


def has_open_steps(plan: WorkPlan) -> bool:
    """Say whether something is left to do, or to leave out."""
    return any(step.status in OPEN for step in plan.steps)


@dataclass(frozen=True, slots=True)
class Wave:
    """Steps that begin together: one that the agent works on itself, or those of sub-agents."""

    own: PlanStep | None = None
    delegated: tuple[PlanStep, ...] = ()


def choose_wave(
    ready: Sequence[PlanStep], *, limit: int, agents: Collection[str], anybody: str
) -> Wave:
    """Choose what begins next; `agents` are those who may be given steps.

    A single step without a sub-agent of its own stays with the agent, which knows the conversation.
    Several run side by side, each with a sub-agent, because one conversation holds one thing at a
    time: with its own, or with `anybody`.
    """
    own = [step for step in ready if step.assigned_agent in agents]
    delegated = ready if anybody in agents and len(ready) > 1 else own
    if not delegated:
        return Wave(own=ready[0])
    return Wave(delegated=tuple(delegated[:limit]))


def keep_among(steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
    """Return steps that depend on each other alone; the others are no part of the plan any more."""
    kept = tuple(steps)
    numbers = {step.step_number for step in kept}
    return tuple(
        replace(step, dependencies=tuple(n for n in step.dependencies if n in numbers))
        for step in kept
    )


def skip_blocked(plan: WorkPlan) -> WorkPlan:
    """Return the plan in which every step that waits for one that failed is left out."""
    failed = {step.step_number for step in plan.steps if step.failed}
    steps = list(plan.steps)
    # Blocked steps block those behind them; each round finds one at least.
    for _ in steps:
        blocked = {
            position: sorted(failed.intersection(step.dependencies))
            for position, step in enumerate(steps)
            if step.status is StepStatus.PENDING and failed.intersection(step.dependencies)
        }
        if not blocked:
            break
        for position, numbers in blocked.items():
            why = ", ".join(map(str, numbers))
            steps[position] = replace(
                steps[position], status=StepStatus.SKIPPED, result=f"It needed step {why}."
            )
            failed.add(steps[position].step_number)
    return replace(plan, steps=tuple(steps))


def find_plan_end(plan: WorkPlan) -> PlanStatus:
    """Say how a plan ended whose steps are all over.

    It failed where a step failed and what waited for it was left out, or nothing was done.
    """
    failed = {step.step_number for step in plan.steps if step.failed}
    is_blocked = any(
        step.status is StepStatus.SKIPPED and failed.intersection(step.dependencies)
        for step in plan.steps
    )
    is_done = any(step.status is StepStatus.COMPLETED for step in plan.steps)
    if failed and (is_blocked or not is_done or _is_last(plan, failed)):
        return PlanStatus.FAILED
    return PlanStatus.COMPLETED


def _is_last(plan: WorkPlan, failed: set[int]) -> bool:
    """Say whether nothing was planned in place of a step that failed."""
    return max(failed) == max(step.step_number for step in plan.steps)
