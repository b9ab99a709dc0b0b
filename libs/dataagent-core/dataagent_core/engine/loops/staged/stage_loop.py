"""The loop of a staged run. Its stage is part of the plan's versions in the log.

reason    a call that thinks about the message; what it thinks is an event
plan      the planning call; without a plan the whole message is one step
execute   as every plan is carried out (`steps/plan_execution.py`)
review    a call with a rubric, which may send the work back, at most so often

Then the model writes the answer. Which stage follows is `stages.py`'s.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from langchain.agents.middleware.types import ModelResponse

from dataagent_core.config.limits.planning import (
    REASON_ANSWER_TOKENS_MAX,
    REVIEW_ANSWER_TOKENS_MAX,
    STEP_DESCRIPTION_CHARS_MAX,
)
from dataagent_core.engine.loops.plan_creation import (
    begin_plan,
    plan_again,
    put_to_person,
    write_steps,
)
from dataagent_core.engine.loops.plan_loop import finish_run
from dataagent_core.engine.loops.staged.review import (
    REVIEW_INSTRUCTION,
    Review,
    make_review_question,
    read_review,
)
from dataagent_core.engine.loops.staged.stages import StageFacts, Verdict, route
from dataagent_core.engine.loops.steps.plan_execution import advance_steps
from dataagent_core.engine.loops.timed_call import CALL_FAILURES, ask_in_time
from dataagent_core.engine.loops.turn import PlanTurn
from dataagent_core.events import ThoughtEvent
from dataagent_core.events.plan import PlanChange
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.planning.next_steps import find_plan_end, has_open_steps
from dataagent_core.planning.work_plan import PlanStatus, PlanStep, WorkPlan
from dataagent_core.session import read_all

REASON_INSTRUCTION: Final = """\
You think about a message before work on it is planned; you do not do the work. You get JSON: the \
message of a person. Say in a few sentences: what they want, what is known and what has to be \
found out, what could go wrong, and when the work is done. Plain text, in the message's language."""


async def advance_stages(turn: PlanTurn, plan: WorkPlan | None) -> ModelResponse[Any] | None:
    """Go one way on with a staged run."""
    if plan is None:
        await begin_plan(turn, "reason")
        return None
    if not plan.is_open:
        return await finish_run(turn, plan)
    match plan.stage:
        case "plan":
            return await _plan(turn, plan)
        case "execute":
            return await advance_steps(turn, plan, _finish_steps)
        case "review" if has_open_steps(plan):
            # A person added them after the work: they are part of what is reviewed.
            await _move_on(turn, plan, StageFacts(verdict="sent_back"))
        case "review":
            await _review(turn, plan)
        case "reason" | None:
            await _reason(turn, plan)
    return None


async def _reason(turn: PlanTurn, plan: WorkPlan) -> None:
    problem = ""
    if await _read_reasoning(turn) is None:
        try:
            text = await _ask(
                turn, REASON_INSTRUCTION, {"goal": turn.goal}, REASON_ANSWER_TOKENS_MAX
            )
            await turn.context.recorder.commit(_make_thought(turn, storable(text.strip())))
        except CALL_FAILURES as error:
            problem = str(error)
    await _move_on(turn, plan, StageFacts(reasoned=True), reason=problem)


async def _plan(turn: PlanTurn, plan: WorkPlan) -> ModelResponse[Any] | None:
    if plan.status is PlanStatus.PLANNING and plan.steps:
        return await put_to_person(turn, plan)
    if plan.steps:
        await _move_on(turn, plan, StageFacts(planned=True))
        return None
    try:
        reasoning = await _read_reasoning(turn) or ""
        await write_steps(turn, plan, await turn.planner.plan(turn.goal, turn.earlier, reasoning))
    except CALL_FAILURES as error:
        whole = PlanStep(
            step_number=1, description=keep_ends(turn.goal, STEP_DESCRIPTION_CHARS_MAX)
        )
        await turn.commit_next(
            plan, "made", reason=str(error), status=PlanStatus.IN_PROGRESS, steps=(whole,)
        )
    return None


async def _finish_steps(turn: PlanTurn, plan: WorkPlan | None) -> None:
    if plan is not None:
        await _move_on(turn, plan, StageFacts(steps_over=True))


async def _review(turn: PlanTurn, plan: WorkPlan) -> None:
    problem = ""
    try:
        asked = make_review_question(turn.goal, plan)
        answer = await _ask(turn, REVIEW_INSTRUCTION, asked, REVIEW_ANSWER_TOKENS_MAX)
        review = read_review(answer)
    except CALL_FAILURES as error:
        # Work is not lost because nobody could look at it; the plan says so.
        review, problem = Review(accepted=True), f"Not reviewed: {error}"
    why = "; ".join(review.problems) or problem
    verdict: Verdict = "accepted"
    if not review.accepted and plan.round < turn.terms.settings.max_review_rounds:
        changed, problem = await plan_again(turn, plan, f"The review found: {why}")
        if problem:
            why = f"{why}; {problem}"
        else:
            plan, verdict = replace(changed, round=plan.round + 1), "sent_back"
    await _move_on(turn, plan, StageFacts(verdict=verdict), "reviewed", reason=why)


async def _ask(
    turn: PlanTurn, instruction: str, given: Mapping[str, Any], answer_tokens_max: int
) -> str:
    return await ask_in_time(
        turn.services.side_calls,
        instruction,
        given,
        answer_tokens_max=answer_tokens_max,
        timeout_ms=turn.terms.settings.stage_timeout_ms,
        setting="DATAAGENT_STAGE_TIMEOUT_MS",
    )


async def _move_on(
    turn: PlanTurn,
    plan: WorkPlan,
    facts: StageFacts,
    change: PlanChange = "moved_on",
    *,
    reason: str = "",
) -> None:
    """Write the stage that follows, or the end."""
    following = route(plan.stage or "reason", facts)
    if following is None:
        await turn.commit_next(plan, change, reason=reason, status=find_plan_end(plan))
    else:
        await turn.commit_next(plan, change, reason=reason, stage=following)


def _make_thought(turn: PlanTurn, text: str) -> ThoughtEvent:
    return ThoughtEvent(
        event_id=f"reason:{turn.context.run.run_id}", content=text, level="work", is_final=True
    )


async def _read_reasoning(turn: PlanTurn) -> str | None:
    """Return what was thought about the message; None if that stage has not been yet."""
    run = turn.context.run
    events = await read_all(
        turn.services.log, run.session_id, run_id=run.run_id, types=("thought",)
    )
    for event in events:
        if isinstance(event, ThoughtEvent) and event.event_id == f"reason:{run.run_id}":
            return event.content
    return None
