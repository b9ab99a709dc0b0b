"""One turn of a run with a work plan: what happens instead of, or around, the model's next call.

    no plan yet        make it: one planning call, or go on without one
    proposed           put it to the person, if one is there and there is reason to
    a step failed      plan again what is left, at most so often
    steps can begin    ask about them if there is reason to; give them to sub-agents, or to the model
    all are over       the model writes the answer, which names its steps

The state is the log's (`run_plan.py`) and the conversation's: after a crash the same turn is taken
again, and finds what is done.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from dataagent_core.config.limits.planning import PLAN_ROUNDS_MAX
from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.loops import plan_messages
from dataagent_core.engine.loops.plan_messages import FINISH_STEP, PLAN_QUESTION_TOOL
from dataagent_core.engine.loops.plan_services import PlanServices
from dataagent_core.engine.loops.planner import Planner
from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.loops.step_events import (
    end_own_step,
    find_own_start,
    make_end,
    make_start,
)
from dataagent_core.engine.middleware.message_note import find_message
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.errors import (
    BudgetExceededError,
    ConflictError,
    ModelError,
    ModelUnavailableError,
    RunTimeoutError,
    ValidationError,
)
from dataagent_core.events import HITLAnswerEvent, StepStartEvent
from dataagent_core.planning.answer_sources import make_source_line
from dataagent_core.planning.next_steps import choose_wave, list_ready, skip_blocked
from dataagent_core.planning.plan_answer import PlanAnswer
from dataagent_core.planning.plan_questions import (
    PLAN_QUESTION,
    apply_plan_answer,
    apply_step_answer,
    find_step_question,
    is_free_text,
    list_doubts,
    make_plan_options,
)
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.planning.vague_words import find_vague_words
from dataagent_core.planning.work_plan import PlanStatus, PlanStep, StepStatus, WorkPlan
from dataagent_core.runs import RunContext
from dataagent_core.session import read_all

# What a planning call may fail with: the run goes on without a plan, and says why.
PLANNING_FAILURES = (
    ValidationError,
    RunTimeoutError,
    ModelError,
    ModelUnavailableError,
    BudgetExceededError,
)
# Tools that would make a second plan beside the first one.
_OTHER_PLANS = frozenset({"write_todos"})


@dataclass(slots=True, eq=False)
class PlanTurn:
    """Takes one turn of a run that works by a plan."""

    services: PlanServices
    terms: PlanTerms
    context: RunContext
    request: ModelRequest[Any]
    handler: ModelHandler
    plan: RunPlan
    planner: Planner

    async def take(self) -> ModelResponse[Any]:
        """Return the model's answer, or the plan's own."""
        for _ in range(PLAN_ROUNDS_MAX):
            # None: something was written down; what to do next depends on the log.
            answer = await self._advance(await self.plan.look())
            if answer is not None:
                return answer
        raise ConflictError("the plan was changed again and again; send the message anew.")

    async def _advance(self, plan: WorkPlan | None) -> ModelResponse[Any] | None:
        if plan is None:
            return await self._begin()
        if plan.status is PlanStatus.PLANNING:
            return await (self._propose(plan) if plan.steps else self._make(plan))
        if plan.status in {PlanStatus.TIMEOUT, PlanStatus.FALLBACK}:
            return await self._call_model()
        if plan.status is not PlanStatus.IN_PROGRESS:
            return await self._answer(plan)
        own = find_own_start(self.plan)
        if own is not None:
            return await self._work(plan, own)
        if await self._end_refused_calls(plan):
            return None
        if self.plan.list_unsettled(plan):
            return await self._plan_again(plan)
        ready = list_ready(plan)
        return await (self._start(plan, ready) if ready else self._finish(plan))

    # Making a plan.

    async def _begin(self) -> None:
        run = self.context.run
        made = WorkPlan(id=run.run_id, conversation_id=run.session_id, status=PlanStatus.PLANNING)
        await self.plan.commit(made, "made")

    async def _make(self, plan: WorkPlan) -> None:
        """Make the steps; a plan that cannot be had ends as such."""
        try:
            answer = await self.planner.plan(self.context.message.text, self._earlier())
        except PLANNING_FAILURES as error:
            status = (
                PlanStatus.TIMEOUT if isinstance(error, RunTimeoutError) else PlanStatus.FALLBACK
            )
            await self._commit_next(plan, "ended", reason=str(error), status=status)
            return
        doubts = self._list_doubts(answer)
        status = PlanStatus.PLANNING if doubts else PlanStatus.IN_PROGRESS
        await self._commit_next(
            plan, "made", reason=", ".join(doubts), status=status, steps=answer.steps
        )

    def _list_doubts(self, answer: PlanAnswer) -> list[str]:
        vague = find_vague_words(self.context.message.text) if self.terms.ask else ()
        return list_doubts(answer.steps, answer.confidence, vague, self.terms)

    async def _propose(self, plan: WorkPlan) -> ModelResponse[Any] | None:
        newest = self.plan.facts.newest
        answered = plan_messages.find_answer(self._messages(), plan, "plan")
        if answered is None:
            question = {
                "kind": "clarification",
                "question": plan_messages.describe_plan(plan, newest.reason if newest else ""),
                "question_type": PLAN_QUESTION,
                "options": make_plan_options(),
                "timeout_s": self.services.clarification_timeout_s,
            }
            return _only(plan_messages.make_question(plan, "plan", question))
        said = str(answered.get("answer") or "")
        changed = apply_plan_answer(plan, said)
        if is_free_text(said):
            changed = await self._with_new_steps(changed, f"The person says of the plan: {said}")
        await self.plan.commit(changed, "edited", answered.get("by"), said)
        return None

    async def _plan_again(self, plan: WorkPlan) -> None:
        """Plan what is left after a failure, or leave out what waits for it."""
        failed = [plan.find(number) for number in self.plan.list_unsettled(plan)]
        why = "; ".join(
            f"step {step.step_number} failed: {step.result}" for step in failed if step is not None
        )
        if self.plan.count_replans() < self.terms.settings.plan_replans_max:
            changed = await self._with_new_steps(plan, why)
            if changed is not plan:
                await self.plan.commit(
                    replace(changed, version=plan.version + 1), "replanned", reason=why
                )
                return
        await self._commit_next(skip_blocked(plan), "edited", reason=why)

    async def _with_new_steps(self, plan: WorkPlan, why: str) -> WorkPlan:
        """Replace the steps that have not begun; the plan itself if there is no answer to that."""
        kept = [step for step in plan.steps if step.status is not StepStatus.PENDING]
        try:
            answer = await self.planner.plan_again(
                self.context.message.text, self._earlier(), plan, why
            )
        except PLANNING_FAILURES:
            return plan
        return replace(plan, steps=(*kept, *answer.steps))

    # Carrying it out.

    async def _start(
        self, plan: WorkPlan, ready: Sequence[PlanStep]
    ) -> ModelResponse[Any] | None:
        wave = choose_wave(
            ready,
            limit=self.terms.max_concurrent_steps,
            can_delegate=bool(self.services.delegates),
        )
        begins = wave.delegated if wave.own is None else (wave.own,)
        for step in begins if self.terms.ask else ():
            asked = await self._ask_about(plan, step)
            if asked is not False:
                return asked
        if wave.own is not None:
            await self.context.recorder.commit(make_start(plan.id, wave.own))
            return None
        agents = {step.step_number: self._choose_agent(step) for step in begins}
        self.context.permissions.planned_subagents.update(agents.values())
        return _only(plan_messages.make_wave(plan, begins, agents))

    async def _ask_about(
        self, plan: WorkPlan, step: PlanStep
    ) -> ModelResponse[Any] | bool | None:
        """Ask about a step; None: its answer was written down; False: there is nothing to ask."""
        question = find_step_question(step, self.terms)
        if question is None or (step.decision or {}).get("answer"):
            return False
        name = f"step_{step.step_number}"
        answered = plan_messages.find_answer(self._messages(), plan, name)
        if answered is not None:
            said = str(answered.get("answer") or "")
            await self.plan.commit(
                apply_step_answer(plan, step, said), "edited", answered.get("by"), said
            )
            return None
        asked = {
            "kind": "decision",
            "question": question.context,
            "question_type": question.decision_type,
            "options": [dict(option) for option in question.options],
            "step_number": step.step_number,
            "timeout_s": self.services.decision_timeout_s,
        }
        return _only(plan_messages.make_question(plan, name, asked))

    def _choose_agent(self, step: PlanStep) -> str:
        """Choose who works on a step; who was forbidden or is gone is replaced."""
        names = self.services.delegates
        if step.assigned_agent in names and step.assigned_agent not in self.context.message.forbid:
            return step.assigned_agent
        return GENERAL_PURPOSE if GENERAL_PURPOSE in names else next(iter(names))

    async def _work(self, plan: WorkPlan, start: StepStartEvent) -> ModelResponse[Any] | None:
        """Let the model work on its own step, for as long as it may."""
        settings = self.terms.settings
        step = plan.find(start.step_number)
        if step is None:
            await end_own_step(self.plan, start, "skipped", "It is no part of the plan any more.")
            return None
        if left := await self._find_loop_answer(start):
            await end_own_step(self.plan, start, "skipped", left)
            return None
        if time.time() - start.timestamp > settings.plan_step_timeout_s:
            why = f"It took longer than {settings.plan_step_timeout_s:g} s."
            await end_own_step(self.plan, start, "timeout", why)
            return None
        if self._count_turns() >= settings.plan_step_turns_max:
            why = f"It was not done after {settings.plan_step_turns_max} turns."
            await end_own_step(self.plan, start, "failed", why)
            return None
        note = plan_messages.make_step_note(plan, step)
        answer = await self._call_model(note, with_finish=True)
        last = _last_answer(answer)
        if last is None or last.tool_calls:
            return answer
        return _replace(answer, last, plan_messages.add_finish(last, plan, step.step_number))

    async def _find_loop_answer(self, start: StepStartEvent) -> str:
        """Say why a person left out the step, when they were asked about a loop in it."""
        run = self.context.run
        answers = await read_all(
            self.services.log,
            run.session_id,
            after=start.seq or 0,
            run_id=run.run_id,
            types=("hitl_answer",),
        )
        for event in answers:
            if (
                isinstance(event, HITLAnswerEvent)
                and event.kind == "doom_loop"
                and event.subagent_id is None
                and event.decision.get("type") == "skip"
            ):
                return "A person left it out: the same call was made again and again."
        return ""

    async def _end_refused_calls(self, plan: WorkPlan) -> bool:
        """End the steps whose calls were answered without running, as a rule or a person said."""
        ended = False
        for message in self._messages():
            if not isinstance(message, ToolMessage):
                continue
            number = plan_messages.find_step_number(message.tool_call_id, plan.id)
            step = None if number is None else plan.find(number)
            if step is None or step.status not in {StepStatus.PENDING, StepStatus.IN_PROGRESS}:
                continue
            status = "failed" if message.status == "error" else "completed"
            await self.context.recorder.commit(
                make_end(plan.id, step.step_number, status, message.text)
            )
            ended = True
        return ended

    # The end.

    async def _finish(self, plan: WorkPlan) -> None:
        plan = skip_blocked(plan)
        failed = any(step.failed for step in plan.steps)
        is_replaced = failed and self.plan.count_replans() and not _has_blocked(plan)
        status = PlanStatus.FAILED if failed and not is_replaced else PlanStatus.COMPLETED
        await self._commit_next(plan, "ended", status=status)

    async def _answer(self, plan: WorkPlan) -> ModelResponse[Any]:
        answer = await self._call_model(plan_messages.make_answer_note(plan))
        last = _last_answer(answer)
        if last is None or last.tool_calls or self.context.message.has_form:
            return answer
        line = make_source_line(last.text, plan)
        if not line:
            return answer
        named = last.model_copy(update={"content": f"{last.text}\n\n{line}"})
        return _replace(answer, last, named)

    # Parts.

    async def _commit_next(
        self, plan: WorkPlan, change: Any, *, reason: str = "", **changes: Any
    ) -> None:
        changed = replace(plan, version=plan.version + 1, **changes)
        await self.plan.commit(changed, change, reason=reason)

    async def _call_model(self, note: str = "", *, with_finish: bool = False) -> ModelResponse[Any]:
        hidden = {PLAN_QUESTION_TOOL, *(() if with_finish else (FINISH_STEP,))}
        if note:
            hidden |= _OTHER_PLANS
        request = without_tools(self.request, hidden)
        if note:
            request = request.override(messages=[*request.messages, HumanMessage(note)])
        return await self.handler(request)

    def _messages(self) -> list[AnyMessage]:
        return cast("list[AnyMessage]", self.request.state["messages"])

    def _earlier(self) -> list[AnyMessage]:
        """List the messages before the run's own."""
        messages = self._messages()
        return messages[: find_message(messages, self.context.run.message_id)]

    def _count_turns(self) -> int:
        """Count the model's turns since the last call of the plan's ended."""
        turns = 0
        for message in reversed(self._messages()):
            if isinstance(message, HumanMessage) or plan_messages.is_plan_turn(message):
                break
            if isinstance(message, ToolMessage) and message.name == FINISH_STEP:
                break
            turns += isinstance(message, AIMessage)
        return turns


def without_tools(
    request: ModelRequest[Any], names: frozenset[str] | set[str]
) -> ModelRequest[Any]:
    """Return a request that does not offer tools of these names."""
    kept = [tool for tool in request.tools if isinstance(tool, dict) or tool.name not in names]
    return request.override(tools=kept)


def _only(message: AIMessage) -> ModelResponse[Any]:
    return ModelResponse(result=[message])


def _last_answer(answer: ModelResponse[Any]) -> AIMessage | None:
    return next((m for m in reversed(answer.result) if isinstance(m, AIMessage)), None)


def _replace(answer: ModelResponse[Any], old: AIMessage, new: AIMessage) -> ModelResponse[Any]:
    return replace(answer, result=[new if message is old else message for message in answer.result])


def _has_blocked(plan: WorkPlan) -> bool:
    failed = {step.step_number for step in plan.steps if step.failed}
    return any(
        step.status is StepStatus.SKIPPED and failed.intersection(step.dependencies)
        for step in plan.steps
    )
