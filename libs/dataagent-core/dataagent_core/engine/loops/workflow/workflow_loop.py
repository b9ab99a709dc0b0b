"""The loop of a run by a workflow: fixed calls, side calls where data differ, then the answer.

    no plan yet        its steps become the plan that people see
    in progress        the next calls, as a turn in the model's place
    completed          the answer: the text of earlier runs, or one side call
    fallback           something was a surprise: the agent goes on, and is told what is done

Calls pass the same pipeline as a model's. What is next is read from the log, so that after a crash
the same turn is taken again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from langchain.agents.middleware.types import ModelResponse
from pydantic import JsonValue

from dataagent_core.engine.loops.pattern_use import make_pattern_event
from dataagent_core.engine.loops.plan_notes import make_answer_note
from dataagent_core.engine.loops.steps.plan_execution import end_refused_calls
from dataagent_core.engine.loops.timed_call import CALL_FAILURES
from dataagent_core.engine.loops.turn import PlanTurn, respond
from dataagent_core.engine.loops.workflow import workflow_messages
from dataagent_core.engine.loops.workflow.model_places import write_answer, write_places
from dataagent_core.engine.loops.workflow.workflow_state import (
    WorkflowState,
    find_changed_call,
    follow,
    read_results,
)
from dataagent_core.errors import ValidationError
from dataagent_core.events import WarningEvent
from dataagent_core.patterns.workflow.code_places import find_unsafe_place
from dataagent_core.patterns.workflow.fill_workflow import (
    check_inputs,
    fill_args,
    fill_text,
    list_places,
)
from dataagent_core.patterns.workflow.read_workflow import read_workflow
from dataagent_core.patterns.workflow.workflow import TextTemplate, Workflow, WorkflowStep
from dataagent_core.planning.answer_sources import make_source_line
from dataagent_core.planning.work_plan import PlanStatus, WorkPlan

_UNSAFE: Final = "the call could do something else than in earlier runs, with the value of "
_EDITS = frozenset({"edited", "replanned"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowLoop:
    """A workflow as one run follows it; its file is the one that the run began with."""

    pattern_id: str
    file: str
    # The tools that the agent has.
    tools: Collection[str]

    async def advance(self, turn: PlanTurn, plan: WorkPlan | None) -> ModelResponse[Any] | None:
        """Go one way on."""
        if plan is None:
            return await self._begin(turn)
        if plan.status is PlanStatus.FALLBACK:
            reason = turn.plan.facts.newest.reason if turn.plan.facts.newest else ""
            return await turn.call_model(workflow_messages.make_hand_over_note(plan, reason))
        return await self._go_on(turn, plan)

    async def _go_on(self, turn: PlanTurn, plan: WorkPlan) -> ModelResponse[Any] | None:
        workflow = read_workflow(self.file)
        inputs = check_inputs(workflow, turn.context.message.planning.get("inputs", {}))
        results = await read_results(turn.services.log, turn.context.run, turn.plan.since)
        state = follow(workflow, inputs, results)
        if plan.status is PlanStatus.COMPLETED:
            return await _answer(turn, plan, workflow, state)
        if await end_refused_calls(turn, plan):
            return None
        surprise = state.surprise or _find_change(turn)
        if surprise:
            await _hand_over(turn, plan, surprise)
            return None
        if state.next_step <= len(workflow.steps):
            return await self._call(turn, plan, workflow, state)
        await turn.commit_next(plan, "ended", status=PlanStatus.COMPLETED)
        return None

    async def _begin(self, turn: PlanTurn) -> None:
        run = turn.context.run
        plan = WorkPlan(
            id=run.run_id, conversation_id=run.session_id, interaction_pattern_id=self.pattern_id
        )
        if not self.file:
            await turn.plan.commit(plan, "made")
            await _hand_over(turn, plan, "there is no such workflow any more")
            return
        try:
            workflow = read_workflow(self.file)
            inputs = check_inputs(workflow, turn.context.message.planning.get("inputs", {}))
        except ValidationError as error:
            await turn.plan.commit(plan, "made")
            await _hand_over(turn, plan, str(error).rstrip("."))
            return
        used = make_pattern_event(self.pattern_id, run.run_id, "workflow")
        await turn.context.recorder.commit(used)
        steps = workflow_messages.make_plan_steps(workflow, inputs)
        made = WorkPlan(
            id=plan.id,
            conversation_id=plan.conversation_id,
            steps=steps,
            interaction_pattern_id=self.pattern_id,
        )
        await turn.plan.commit(made, "made", reason=workflow.name)

    async def _call(
        self, turn: PlanTurn, plan: WorkPlan, workflow: Workflow, state: WorkflowState
    ) -> ModelResponse[Any] | None:
        """Call the next step, and those that were always called together with it."""
        calls: list[tuple[str, Mapping[str, JsonValue]]] = []
        for number, step in _list_next(workflow, state.next_step):
            if step.tool not in self.tools:
                await _hand_over(
                    turn, plan, f"step {number}: {step.tool} is no tool that may be used here"
                )
                return None
            unsafe = find_unsafe_place(step, state.values, workflow.inputs)
            if unsafe:
                await _hand_over(turn, plan, f"step {number}, {step.tool}: {_UNSAFE}{unsafe}")
                return None
            places = list_places(step)
            try:
                written = await write_places(turn, step, places, state) if places else {}
            except CALL_FAILURES as error:
                await _hand_over(turn, plan, f"step {number}, {step.tool}: {error}".rstrip("."))
                return None
            calls.append((step.tool, fill_args(step, state.values, written)))
        return respond(
            workflow_messages.make_calls(turn.context.run.run_id, state.next_step, calls)
        )


def _list_next(workflow: Workflow, first: int) -> list[tuple[int, WorkflowStep]]:
    listed = [(first, workflow.steps[first - 1])]
    for number in range(first + 1, len(workflow.steps) + 1):
        step = workflow.steps[number - 1]
        if not step.is_together:
            break
        listed.append((number, step))
    return listed


def _find_change(turn: PlanTurn) -> str:
    """Say what a person changed of the plan or of a call; the workflow knows nothing of it."""
    newest = turn.plan.facts.newest
    if newest is not None and newest.change in _EDITS:
        return "a person changed the plan"
    return find_changed_call(turn.messages, turn.context.run.run_id)


async def _hand_over(turn: PlanTurn, plan: WorkPlan, reason: str) -> None:
    """Write down why the workflow ends here; the next turn is the agent's."""
    told = WarningEvent(
        event_id=f"workflow:{plan.id}",
        code="WORKFLOW_HANDED_OVER",
        message=f"The workflow stopped, and the agent goes on: {reason}.",
    )
    await turn.context.recorder.commit(told)
    await turn.commit_next(plan, "ended", reason=reason, status=PlanStatus.FALLBACK)


async def _answer(
    turn: PlanTurn, plan: WorkPlan, workflow: Workflow, state: WorkflowState
) -> ModelResponse[Any]:
    """Answer the person; where no side call can write it, the agent does."""
    if turn.context.message.has_form:
        return await turn.call_model(make_answer_note(plan))
    try:
        text = (
            fill_text(workflow.answer, state.values)
            if isinstance(workflow.answer, TextTemplate)
            else await write_answer(turn, workflow.answer, state)
        )
    except CALL_FAILURES:
        return await turn.call_model(make_answer_note(plan))
    line = make_source_line(text, plan)
    said = f"{text}\n\n{line}" if line else text
    return respond(workflow_messages.make_answer(turn.context.run.run_id, said))
