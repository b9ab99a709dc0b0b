"""Carries out the steps of a plan: sub-agents work on several at once, the model on a single one.

Every step begins and ends with an event, once. A step that a person leaves out while it is worked
on ends (`left_out.py`); the plan goes on behind it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import ModelResponse
from langchain_core.messages import ToolMessage

from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.delegation.task_tool import list_forbidden
from dataagent_core.engine.loops import plan_messages, plan_notes
from dataagent_core.engine.loops.plan_creation import plan_after_failure
from dataagent_core.engine.loops.steps.left_out import is_left_out
from dataagent_core.engine.loops.steps.own_work import read_own_work
from dataagent_core.engine.loops.steps.step_data import measure_named_files
from dataagent_core.engine.loops.steps.step_events import (
    LEFT_OUT,
    LEFT_OUT_OF_LOOP,
    end_own_step,
    find_own_start,
    make_end,
    make_start,
)
from dataagent_core.engine.loops.turn import Advance, PlanTurn, last_answer, replace_answer, respond
from dataagent_core.events import StepStartEvent
from dataagent_core.planning.next_steps import choose_wave, list_ready, skip_blocked
from dataagent_core.planning.plan_questions import (
    StepQuestion,
    apply_step_answer,
    find_step_question,
    read_option,
)
from dataagent_core.planning.work_plan import OPEN, PlanStep, StepStatus, WorkPlan


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
    if ready:
        return await _start(turn, plan, ready)
    left = skip_blocked(plan)
    if left != plan:
        # A person added them behind a step that had failed.
        await turn.commit_next(left, "edited")
        return None
    return await finish(turn, plan)


async def _start(
    turn: PlanTurn, plan: WorkPlan, ready: Sequence[PlanStep]
) -> ModelResponse[Any] | None:
    forbidden = list_forbidden(turn.services.delegates, turn.context)
    agents = turn.services.delegates.keys() - forbidden
    wave = choose_wave(
        ready, limit=turn.terms.max_concurrent_steps, agents=agents, anybody=GENERAL_PURPOSE
    )
    begins = wave.delegated if wave.own is None else (wave.own,)
    for step in begins:
        question = await _find_question(turn, step)
        if question is not None:
            return await _ask_about(turn, plan, step, question)
    if wave.own is not None:
        await turn.context.recorder.commit(make_start(plan.id, wave.own))
        return None
    chosen = {
        step.step_number: step.assigned_agent if step.assigned_agent in agents else GENERAL_PURPOSE
        for step in begins
    }
    turn.context.permissions.planned_subagents.update(chosen.values())
    return respond(plan_messages.make_wave(plan, begins, chosen))


async def _find_question(turn: PlanTurn, step: PlanStep) -> StepQuestion | None:
    if not turn.terms.ask:
        return None
    files = turn.services.files
    size = 0 if files is None else await asyncio.to_thread(measure_named_files, files, step)
    return find_step_question(step, turn.terms, size)


async def _ask_about(
    turn: PlanTurn, plan: WorkPlan, step: PlanStep, question: StepQuestion
) -> ModelResponse[Any] | None:
    """Ask about a step, or do as was answered."""
    name = f"step_{step.step_number}"
    answered = plan_messages.find_answer(turn.messages, plan.id, name)
    if answered is not None:
        said = read_option(str(answered.get("answer") or ""))
        changed = apply_step_answer(plan, step, said)
        await turn.plan.commit(changed, "edited", answered.get("by"), said)
        return None
    asked = {
        "kind": "decision",
        "question": question.context,
        "context": question.context,
        "question_type": question.decision_type,
        "options": [dict(option) for option in question.options],
        "required": False,
        "step_number": step.step_number,
        "timeout_s": turn.services.decision_timeout_s,
    }
    return respond(plan_messages.make_question(plan.id, name, asked))


async def _work(turn: PlanTurn, plan: WorkPlan, start: StepStartEvent) -> ModelResponse[Any] | None:
    """Let the model work on its own step, for as long as it may."""
    settings, step = turn.terms.settings, plan.find(start.step_number)
    work = await read_own_work(turn.plan, start)
    if step is None:
        await end_own_step(turn.plan, start, "skipped", "It is no part of the plan any more.")
    elif step.status is StepStatus.SKIPPED:
        await end_own_step(turn.plan, start, "skipped", LEFT_OUT)
    elif await is_left_out(turn.plan, start.seq or 0):
        await end_own_step(turn.plan, start, "skipped", LEFT_OUT_OF_LOOP)
    elif work.worked_s > settings.plan_step_timeout_s:
        why = f"It took longer than {settings.plan_step_timeout_s:g} s."
        await end_own_step(turn.plan, start, "timeout", why)
    elif work.used.calls >= settings.plan_step_turns_max:
        why = f"It was not done after {settings.plan_step_turns_max} turns."
        await end_own_step(turn.plan, start, "failed", why)
    else:
        note = plan_notes.make_step_note(plan, step)
        answer = await turn.call_model(note, with_finish=True)
        last = last_answer(answer)
        if last is None or last.tool_calls:
            return answer
        ended = plan_messages.add_finish(last, plan, step.step_number)
        return replace_answer(answer, last, ended)
    return None


async def end_refused_calls(turn: PlanTurn, plan: WorkPlan) -> bool:
    """End the steps whose calls were answered without running, as a rule or a person wants it."""
    ended, given = False, dict[str, int]()
    for message in turn.messages:
        given |= plan_messages.list_given_steps(message, plan.id)
        if not isinstance(message, ToolMessage) or message.tool_call_id not in given:
            continue
        step = plan.find(given[message.tool_call_id])
        if step is None or step.status not in OPEN:
            continue
        status = "failed" if message.status == "error" else "completed"
        end = make_end(plan.id, step.step_number, status, message.text)
        await turn.context.recorder.commit(end)
        ended = True
    return ended
