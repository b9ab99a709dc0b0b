"""The events with which a step of a plan begins and ends; each step has one of each at most."""

from typing import Final

from dataagent_core.config.limits.planning import STEP_RESULT_CHARS_MAX
from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.loops.steps.own_work import read_own_work
from dataagent_core.events import StepEndEvent, StepStartEvent
from dataagent_core.events.plan import StepEndStatus
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.planning.work_plan import PlanStep
from dataagent_core.usage import Total
from dataagent_core.usage.budget import usd_of

LEFT_OUT: Final = "A person left it out."
LEFT_OUT_OF_LOOP: Final = "A person left it out: the same call was made again and again."


def make_start(plan_id: str, step: PlanStep, agent: str = "") -> StepStartEvent:
    """Make the event with which a step begins."""
    return StepStartEvent(
        event_id=f"step_start:{plan_id}:{step.step_number}",
        step_number=step.step_number,
        description=step.description,
        plan_id=plan_id,
        agent=agent,
    )


def make_end(
    plan_id: str,
    step_number: int,
    status: StepEndStatus,
    result: str,
    *,
    duration_ms: int | None = None,
    used: Total | None = None,
) -> StepEndEvent:
    """Make the event with which a step ends."""
    used = used or Total()
    return StepEndEvent(
        event_id=f"step_end:{plan_id}:{step_number}",
        step_number=step_number,
        success=status == "completed",
        duration_ms=duration_ms,
        plan_id=plan_id,
        status=status,
        result=keep_ends(storable(result.strip()), STEP_RESULT_CHARS_MAX),
        tokens=used.tokens.as_dict() if used.calls else {},
        cost=usd_of(used.known_cost_nano) if used.calls else None,
    )


def find_own_start(plan: RunPlan) -> StepStartEvent | None:
    """Return the start of the step that the agent itself works on."""
    for event in plan.events:
        if (
            isinstance(event, StepStartEvent)
            and not event.agent
            and event.step_number not in plan.facts.ended
        ):
            return event
    return None


async def end_own_step(
    plan: RunPlan, start: StepStartEvent, status: StepEndStatus, result: str
) -> StepEndEvent:
    """Write down how the agent's own step ended, how long it took and what it used."""
    work = await read_own_work(plan, start)
    end = make_end(
        start.plan_id,
        start.step_number,
        status,
        result,
        duration_ms=round(work.worked_s * 1000),
        used=work.used,
    )
    await plan.context.recorder.commit(end)
    return end
