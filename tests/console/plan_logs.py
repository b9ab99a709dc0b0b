"""Work plans in a session's log: one that is carried out in waves, and one that is over."""

from collections.abc import Iterator
from dataclasses import replace

from dataagent_core.events import (
    DoneEvent,
    Event,
    RunStartedEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
)
from dataagent_core.planning import PlanStatus, PlanStep, StepStatus, WorkPlan

FIRST, SECOND, THIRD, FOURTH, AGAIN = (
    "Count the orders of 2025 by month",
    "Read the list of returns",
    "Compare both, month by month",
    "Write a summary for the board",
    "Take the returns from the shop instead",
)
REASON = "step 2 failed: there is no file /returns.csv"
RESULT = "**28,793** orders:\n\n| month | orders |\n|---|--:|\n| May | 2,210 |\n| June | 2,377 |"


def _steps() -> tuple[PlanStep, ...]:
    return (
        PlanStep(step_number=1, description=FIRST, assigned_agent="data-analyst"),
        PlanStep(step_number=2, description=SECOND, assigned_agent="general-purpose"),
        PlanStep(
            step_number=3,
            description=THIRD,
            dependencies=(1, 2),
            expected_output="a table with one row for each month",
        ),
        PlanStep(step_number=4, description=FOURTH, dependencies=(3,)),
    )


def _begun(plan: WorkPlan, message_id: str) -> list[Event]:
    first, second = plan.steps[:2]
    return [
        RunStartedEvent(message_id=message_id, model="openai:scripted"),
        TextEvent(content="I make a plan first.", is_final=True),
        plan.to_event("made"),
        StepStartEvent(plan_id=plan.id, step_number=1, agent=first.assigned_agent),
        StepStartEvent(plan_id=plan.id, step_number=2, agent=second.assigned_agent),
        StepEndEvent(
            plan_id=plan.id,
            step_number=1,
            duration_ms=4200,
            result=RESULT,
            tokens={"total_tokens": 5321},
            cost=0.0123,
        ),
    ]


def _replanned(plan: WorkPlan) -> list[Event]:
    again = PlanStep(step_number=5, description=AGAIN, assigned_agent="data-analyst")
    first, second, third, fourth = plan.steps
    changed = replace(
        plan,
        version=2,
        steps=(first, second, again, replace(third, dependencies=(1, 5)), fourth),
    )
    return [
        StepEndEvent(
            plan_id=plan.id,
            step_number=2,
            success=False,
            status="failed",
            duration_ms=310,
            result="there is no file /returns.csv",
        ),
        changed.to_event("replanned", reason=REASON),
        StepStartEvent(plan_id=plan.id, step_number=5, agent=again.assigned_agent),
    ]


def under_way(*, replanned: bool = False) -> Iterator[list[Event]]:
    """Make a run whose plan is carried out: one step is done, one is worked on."""
    plan = WorkPlan(id="run0", conversation_id="", steps=_steps(), stage="execute", round=1)
    yield [*_begun(plan, "m0"), *(_replanned(plan) if replanned else [])]


def over() -> Iterator[list[Event]]:
    """Make a run whose plan is over, and one that found no time for a plan."""
    plan = WorkPlan(id="run0", conversation_id="", steps=_steps())
    left = [replace(step, status=StepStatus.SKIPPED) for step in plan.steps[2:]]
    ended = replace(plan, version=2, status=PlanStatus.COMPLETED, steps=(*plan.steps[:2], *left))
    yield [
        *_begun(plan, "m0"),
        StepEndEvent(plan_id=plan.id, step_number=2, duration_ms=800, result="118 products"),
        ended.to_event("ended"),
        TextEvent(content="28,793 orders [step 1].", is_final=True),
        DoneEvent(content="28,793 orders [step 1]."),
    ]
    late = WorkPlan(id="run1", conversation_id="", status=PlanStatus.TIMEOUT)
    yield [
        RunStartedEvent(message_id="m1", model="openai:scripted"),
        late.to_event("ended", reason="no plan came within 5 s"),
        TextEvent(content="June was best.", is_final=True),
        DoneEvent(content="June was best."),
    ]
