"""Carries out the steps of a plan: sub-agents work on several at once, the model on a single one.

Every step begins and ends with an event, once. A step that a person leaves out when they are asked
about a loop in it ends; the plan goes on behind it.
"""

import time
from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.loops import plan_messages
from dataagent_core.engine.loops.plan_creation import plan_after_failure
from dataagent_core.engine.loops.plan_messages import FINISH_STEP
from dataagent_core.engine.loops.step_events import (
    end_own_step,
    find_own_start,
    make_end,
    make_start,
)
from dataagent_core.engine.loops.turn import Advance, PlanTurn, last_answer, replace_answer, respond
from dataagent_core.events import HITLAnswerEvent, StepStartEvent
from dataagent_core.planning.next_steps import choose_wave, list_ready
from dataagent_core.planning.plan_questions import apply_step_answer, find_step_question
from dataagent_core.planning.work_plan import OPEN, PlanStep, WorkPlan
from dataagent_core.session import read_all


async def advance_steps(
    turn: PlanTurn, plan: WorkPlan, finish: Advance
) -> ModelResponse[Any] | None:
    """Go on with the steps; `finish` is for a plan whose steps are all over."""
    own = find_own_start(turn.plan)
    if own is not None:
        return await _work(turn, plan, own)
    if await end_refused_calls(turn, plan):
        return None
    if turn.plan.list_unsettled(plan):
        await plan_after_failure(turn, plan)
        return None
    ready = list_ready(plan)
    return await (_start(turn, plan, ready) if ready else finish(turn, plan))


async def _start(
    turn: PlanTurn, plan: WorkPlan, ready: Sequence[PlanStep]
) -> ModelResponse[Any] | None:
    delegates = turn.services.delegates
    wave = choose_wave(ready, limit=turn.terms.max_concurrent_steps, can_delegate=bool(delegates))
    begins = wave.delegated if wave.own is None else (wave.own,)
    for step in begins:
        question = find_step_question(step, turn.terms) if turn.terms.ask else None
        if question is None:
            continue
        name = f"step_{step.step_number}"
        answered = plan_messages.find_answer(turn.messages, plan.id, name)
        if answered is None:
            return respond(
                plan_messages.make_question(
                    plan.id,
                    name,
                    {
                        "kind": "decision",
                        "question": question.context,
                        "context": question.context,
                        "question_type": question.decision_type,
                        "options": [dict(option) for option in question.options],
                        "required": False,
                        "step_number": step.step_number,
                        "timeout_s": turn.services.decision_timeout_s,
                    },
                )
            )
        said = str(answered.get("answer") or "")
        changed = apply_step_answer(plan, step, said)
        await turn.plan.commit(changed, "edited", answered.get("by"), said)
        return None
    if wave.own is not None:
        await turn.context.recorder.commit(make_start(plan.id, wave.own))
        return None
    agents = {step.step_number: _choose_agent(turn, step) for step in begins}
    turn.context.permissions.planned_subagents.update(agents.values())
    return respond(plan_messages.make_wave(plan, begins, agents))


def _choose_agent(turn: PlanTurn, step: PlanStep) -> str:
    """Choose who works on a step; one that the person forbids, or that is gone, is replaced."""
    names = turn.services.delegates
    if step.assigned_agent in names and step.assigned_agent not in turn.context.message.forbid:
        return step.assigned_agent
    return GENERAL_PURPOSE if GENERAL_PURPOSE in names else next(iter(names))


async def _work(turn: PlanTurn, plan: WorkPlan, start: StepStartEvent) -> ModelResponse[Any] | None:
    """Let the model work on its own step, for as long as it may."""
    settings, step = turn.terms.settings, plan.find(start.step_number)
    if step is None:
        await end_own_step(turn.plan, start, "skipped", "It is no part of the plan any more.")
    elif await _is_left_out(turn, start):
        why = "A person left it out: the same call was made again and again."
        await end_own_step(turn.plan, start, "skipped", why)
    elif time.time() - start.timestamp > settings.plan_step_timeout_s:
        why = f"It took longer than {settings.plan_step_timeout_s:g} s."
        await end_own_step(turn.plan, start, "timeout", why)
    elif _count_turns(turn.messages) >= settings.plan_step_turns_max:
        why = f"It was not done after {settings.plan_step_turns_max} turns."
        await end_own_step(turn.plan, start, "failed", why)
    else:
        note = plan_messages.make_step_note(plan, step)
        answer = await turn.call_model(note, with_finish=True)
        last = last_answer(answer)
        if last is None or last.tool_calls:
            return answer
        ended = plan_messages.add_finish(last, plan, step.step_number)
        return replace_answer(answer, last, ended)
    return None


async def _is_left_out(turn: PlanTurn, start: StepStartEvent) -> bool:
    """Say whether a person who was asked about a loop wants the step left out."""
    run = turn.context.run
    answers = await read_all(
        turn.services.log,
        run.session_id,
        after=start.seq or 0,
        run_id=run.run_id,
        types=("hitl_answer",),
    )
    return any(
        isinstance(event, HITLAnswerEvent)
        and event.kind == "doom_loop"
        and event.subagent_id is None
        and event.decision.get("type") == "skip"
        for event in answers
    )


async def end_refused_calls(turn: PlanTurn, plan: WorkPlan) -> bool:
    """End the steps whose calls were answered without running, as a rule or a person wants it."""
    ended = False
    for message in turn.messages:
        if not isinstance(message, ToolMessage):
            continue
        number = plan_messages.find_step_number(message.tool_call_id, plan.id)
        step = None if number is None else plan.find(number)
        if step is None or step.status not in OPEN:
            continue
        status = "failed" if message.status == "error" else "completed"
        end = make_end(plan.id, step.step_number, status, message.text)
        await turn.context.recorder.commit(end)
        ended = True
    return ended


def _count_turns(messages: Sequence[AnyMessage]) -> int:
    """Count the model's turns since the last step ended."""
    turns = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage) or plan_messages.is_plan_turn(message):
            break
        if isinstance(message, ToolMessage) and message.name == FINISH_STEP:
            break
        turns += isinstance(message, AIMessage)
    return turns
