"""The loop of a run that works by a plan (S2 §6.3).

    no plan yet        make it: one planning call, or go on without one
    proposed           put it to the person
    in progress        carry its steps out, plan again what is left when one fails
    over               the model writes the answer, which names its steps

What is next is read from the log (`run_plan.py`) and the conversation. So after a crash the same
turn is taken again, and finds what is done.
"""

from typing import Any

from langchain.agents.middleware.types import ModelResponse

from dataagent_core.engine.loops import plan_notes
from dataagent_core.engine.loops.plan_creation import begin_plan, make_steps, put_to_person
from dataagent_core.engine.loops.steps.plan_execution import advance_steps
from dataagent_core.engine.loops.turn import PlanTurn, last_answer, replace_answer
from dataagent_core.planning.answer_sources import make_source_line
from dataagent_core.planning.next_steps import find_plan_end
from dataagent_core.planning.work_plan import PlanStatus, WorkPlan


async def advance_plan(turn: PlanTurn, plan: WorkPlan | None) -> ModelResponse[Any] | None:
    """Go one way on with the plan of a run."""
    if plan is None:
        await begin_plan(turn)
        return None
    if plan.status is PlanStatus.PLANNING and not plan.steps:
        await make_steps(turn, plan)
        return None
    if plan.status is PlanStatus.PLANNING:
        return await put_to_person(turn, plan)
    if plan.status is PlanStatus.IN_PROGRESS:
        return await advance_steps(turn, plan, _finish)
    return await finish_run(turn, plan)


async def _finish(turn: PlanTurn, plan: WorkPlan | None) -> None:
    if plan is not None:
        await turn.commit_next(plan, "ended", status=find_plan_end(plan))


async def finish_run(turn: PlanTurn, plan: WorkPlan) -> ModelResponse[Any]:
    """Let the model write the answer; without a plan it works as it likes."""
    if plan.status in {PlanStatus.TIMEOUT, PlanStatus.FALLBACK}:
        return await turn.call_model()
    newest = turn.plan.facts.newest
    # What a review found and could not send back any more is part of an honest answer.
    review = newest.reason if newest is not None and newest.change == "reviewed" else ""
    answer = await turn.call_model(plan_notes.make_answer_note(plan, review))
    last = last_answer(answer)
    if last is None or last.tool_calls or turn.context.message.has_form:
        return answer
    line = make_source_line(last.text, plan)
    if not line:
        return answer
    added = f"\n\n{line}"
    # Some models answer in blocks, which carry more than text.
    content = (
        last.content + added
        if isinstance(last.content, str)
        else [*last.content, {"type": "text", "text": added}]
    )
    return replace_answer(answer, last, last.model_copy(update={"content": content}))
