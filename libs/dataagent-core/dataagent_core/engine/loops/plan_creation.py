"""Makes the plan of a run, puts it to a person where there is reason to, and plans again.

Whatever goes wrong with the planning call, the run goes on: without a plan, or with what is left of
it, and an event says why.
"""

from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import ModelResponse

from dataagent_core.engine.loops import plan_messages, plan_notes
from dataagent_core.engine.loops.timed_call import CALL_FAILURES
from dataagent_core.engine.loops.turn import PlanTurn, respond
from dataagent_core.errors import RunTimeoutError
from dataagent_core.events.plan import StageName
from dataagent_core.planning.next_steps import keep_among, skip_blocked
from dataagent_core.planning.plan_answer import PlanAnswer
from dataagent_core.planning.plan_questions import (
    PLAN_QUESTION,
    apply_plan_answer,
    is_free_text,
    list_doubts,
    make_plan_options,
    read_option,
)
from dataagent_core.planning.vague_words import find_vague_words
from dataagent_core.planning.work_plan import PlanStatus, StepStatus, WorkPlan


async def begin_plan(turn: PlanTurn, stage: StageName | None = None) -> None:
    """Write down that planning begins."""
    run = turn.context.run
    plan = WorkPlan(
        id=run.run_id, conversation_id=run.session_id, status=PlanStatus.PLANNING, stage=stage
    )
    await turn.plan.commit(plan, "made")


async def make_steps(turn: PlanTurn, plan: WorkPlan) -> None:
    """Make the steps; a plan that cannot be had ends as such."""
    try:
        answer = await turn.planner.plan(turn.goal, turn.earlier)
    except CALL_FAILURES as error:
        is_late = isinstance(error, RunTimeoutError)
        status = PlanStatus.TIMEOUT if is_late else PlanStatus.FALLBACK
        await turn.commit_next(plan, "ended", reason=str(error), status=status)
        return
    await write_steps(turn, plan, answer)


async def write_steps(turn: PlanTurn, plan: WorkPlan, answer: PlanAnswer) -> None:
    """Write the steps down; a plan about which there are doubts is only proposed."""
    vague = find_vague_words(turn.goal) if turn.terms.ask else ()
    doubts = list_doubts(answer.steps, answer.confidence, vague, turn.terms)
    status = PlanStatus.PLANNING if doubts else PlanStatus.IN_PROGRESS
    await turn.commit_next(
        plan, "made", reason=", ".join(doubts), status=status, steps=answer.steps
    )


async def put_to_person(turn: PlanTurn, plan: WorkPlan) -> ModelResponse[Any] | None:
    """Put a plan to the person, and do as they answer."""
    answered = plan_messages.find_answer(turn.messages, plan.id, "plan")
    if answered is None:
        newest = turn.plan.facts.newest
        question = {
            "kind": "clarification",
            "question": plan_notes.describe_plan(plan, newest.reason if newest else ""),
            "question_type": PLAN_QUESTION,
            "options": make_plan_options(plan),
            "required": False,
            "timeout_s": turn.services.clarification_timeout_s,
        }
        return respond(plan_messages.make_question(plan.id, "plan", question))
    said = read_option(str(answered.get("answer") or ""))
    changed = apply_plan_answer(plan, said)
    if is_free_text(said):
        changed, problem = await plan_again(turn, changed, f"The person says of the plan: {said}")
        if problem:
            # Not as they want it: the model reads what they said, and works without a plan.
            changed, said = replace(changed, status=PlanStatus.FALLBACK), f"{said}; {problem}"
    await turn.plan.commit(changed, "edited", answered.get("by"), said)
    return None


async def plan_after_failure(turn: PlanTurn, plan: WorkPlan) -> None:
    """Plan what is left after a failure, or leave out what waits for the step that failed."""
    failed = [plan.find(number) for number in turn.plan.list_unsettled(plan)]
    why = "; ".join(
        f"step {step.step_number} failed: {step.result}" for step in failed if step is not None
    )
    if turn.plan.count_replans() < turn.terms.settings.plan_replans_max:
        changed, problem = await plan_again(turn, plan, why)
        if not problem:
            await turn.commit_next(changed, "replanned", reason=why)
            return
        why = f"{why}; {problem}"
    await turn.commit_next(skip_blocked(plan), "edited", reason=why)


async def plan_again(turn: PlanTurn, plan: WorkPlan, why: str) -> tuple[WorkPlan, str]:
    """Plan the steps anew that have not begun; the same plan, and the problem, if none came."""
    kept = keep_among(step for step in plan.steps if step.status is not StepStatus.PENDING)
    try:
        answer = await turn.planner.plan_again(turn.goal, turn.earlier, plan, why)
    except CALL_FAILURES as error:
        return plan, f"Not planned again: {error}"
    return replace(plan, steps=(*kept, *answer.steps)), ""
