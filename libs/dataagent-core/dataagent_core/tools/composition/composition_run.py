"""Runs a composition (sequential, parallel or conditional) and the alternatives of its members.

Members run in rounds. In each round every open member is admitted, one after the other; then the
admitted ones run in parallel. So a user is asked about one call at a time, in a fixed order, and
never while a member runs: an interrupt ends a round before it has an effect, and a repeated
composition makes the same requests.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, assert_never

from langgraph.errors import GraphBubbleUp

from dataagent_core.errors import LimitReachedError, StorageError, ValidationError
from dataagent_core.tools.composition.composition_result import (
    CompositionResult,
    make_composition_result,
)
from dataagent_core.tools.composition.composition_template import (
    Condition,
    ConditionalStep,
    ConditionalTemplate,
    Operator,
    ParallelTemplate,
    SequentialTemplate,
)
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.member_calls import (
    Admit,
    CompositionMember,
    MemberCall,
    MemberResult,
    MemberStatus,
    RunTool,
    parse_output,
)
from dataagent_core.tools.composition.template_check import check_template
from dataagent_core.tools.composition.template_values import TemplateValues, fill_template
from dataagent_core.tools.pipeline.hooks import Refusal

T = TypeVar("T")


async def run_together(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T | None]:
    """Return the results in order; `None` for one that was cancelled, which cancels all."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]

    def cancel_the_rest(ended: asyncio.Task[T]) -> None:
        if ended.cancelled():
            for task in tasks:
                # A second cancel would interrupt the clean-up of the first.
                if not task.cancelling():
                    task.cancel()

    for task in tasks:
        task.add_done_callback(cancel_the_rest)
    # If this task is cancelled, `gather` cancels all of them and waits for their end.
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    results: list[T | None] = []
    for one in ended:
        if isinstance(one, asyncio.CancelledError):
            results.append(None)
        elif isinstance(one, BaseException):
            raise one
        else:
            results.append(one)
    return results


async def run_members(
    members: Sequence[CompositionMember], call_id: str, run_tool: RunTool, admit: Admit
) -> list[MemberResult]:
    """Run members in parallel until each has succeeded or has no alternative left."""
    results: dict[int, MemberResult] = {}
    open_members = list(members)
    for attempt in range(max((len(m.names) for m in members), default=0)):
        admitted: list[tuple[CompositionMember, MemberCall]] = []
        for member in open_members:
            call = _make_call(member, attempt, call_id)
            answer = await admit(call)
            if isinstance(answer, Refusal):
                results[member.step] = _make_result(member, attempt, "refused", answer.reason)
            else:
                admitted.append((member, answer))
        ended = await run_together([_run_call(call, run_tool) for _, call in admitted])
        for (member, _), one in zip(admitted, ended, strict=True):
            status, output = one or ("cancelled", "it was cancelled")
            results[member.step] = _make_result(member, attempt, status, output)
        if None in ended:
            break
        open_members = [
            m
            for m in open_members
            if results[m.step].status == "failed" and attempt + 1 < len(m.names)
        ]
    return [results[member.step] for member in members]


def _make_call(member: CompositionMember, attempt: int, call_id: str) -> MemberCall:
    # From the position in the composition, not from a counter: the journal uses this id.
    suffix = f"/{member.step}" + (f".{attempt}" if attempt else "")
    return MemberCall(name=member.names[attempt], args=member.args, call_id=f"{call_id}{suffix}")


def _make_result(
    member: CompositionMember, attempt: int, status: MemberStatus, output: Any
) -> MemberResult:
    tried = member.names[: attempt + 1]
    return MemberResult(step=member.step, tried=tried, status=status, output=output)


async def _run_call(call: MemberCall, run_tool: RunTool) -> tuple[MemberStatus, Any]:
    try:
        answer = await run_tool(call)
    except (GraphBubbleUp, LimitReachedError, StorageError):
        raise  # not failures of the member: see `tools/pipeline/tool_pipeline.py`
    except Exception as error:  # noqa: BLE001 (third-party tools raise anything)
        return "failed", f"{type(error).__name__}: {error}"
    if isinstance(answer, Refusal):
        return "refused", answer.reason
    if answer.status == "error":
        return "failed", answer.text
    return "ok", parse_output(answer)


_OPERATORS: dict[Operator, Callable[[Any, Any], bool]] = {
    "equals": lambda value, to: value == to,
    "not_equals": lambda value, to: value != to,
    "contains": lambda value, to: to in value,
    "greater": lambda value, to: value > to,
    "less": lambda value, to: value < to,
    "exists": lambda _value, to: to is not False,
}


def find_next_step(step: ConditionalStep, values: TemplateValues, *, succeeded: bool) -> int | None:
    """Return the step of the first branch that matches."""
    ended = "success" if succeeded else "failure"
    for branch in step.next:
        if branch.on == ended and (branch.when is None or is_condition_true(branch.when, values)):
            return branch.step
    return None


def is_condition_true(condition: Condition, values: TemplateValues) -> bool:
    """Evaluate a condition; with a missing part every comparison is false."""
    try:
        value = fill_template(condition.value, values)
    except ValidationError:
        return condition.op == "exists" and condition.to is False
    try:
        return bool(_OPERATORS[condition.op](value, condition.to))
    except TypeError:
        return False  # a text is neither greater nor less than a number


async def run_composition(
    composition: ToolComposition,
    inputs: Mapping[str, Any],
    *,
    call_id: str,
    run_tool: RunTool,
    admit: Admit,
) -> CompositionResult:
    """Run the members with `run_tool` and `admit`; their call ids are prepared from `call_id`."""
    template = check_template(composition)
    defaults = {
        n: schema["default"] for n, schema in template.inputs.items() if "default" in schema
    }
    values = TemplateValues(inputs={**defaults, **inputs}, results={})
    run = _CompositionRun(composition, call_id, run_tool, admit, values)
    match template:
        case SequentialTemplate():
            return await run.run_sequential(template)
        case ParallelTemplate():
            return await run.run_parallel(template)
        case ConditionalTemplate():
            return await run.run_conditional(template)
        case _:
            assert_never(template)


@dataclass(slots=True)
class _CompositionRun:
    composition: ToolComposition
    call_id: str
    run_tool: RunTool
    admit: Admit
    values: TemplateValues
    members: list[MemberResult] = field(default_factory=list[MemberResult])

    async def run_sequential(self, template: SequentialTemplate) -> CompositionResult:
        results: list[MemberResult] = []
        for stage in template.list_stages():
            results = await self._run_steps({n: template.steps[n - 1].args for n in stage})
            if any(result.status != "ok" for result in results):
                break
        return self._finish(results, answering=results[-1:])

    async def run_conditional(self, template: ConditionalTemplate) -> CompositionResult:
        number: int | None = 1
        results: list[MemberResult] = []
        while number is not None:  # ends: branches only lead forward
            step = template.steps[number - 1]
            results = await self._run_steps({number: step.args})
            (result,) = results
            # A refusal is a decision, not a failure that a branch may handle.
            if result.status not in {"ok", "failed"}:
                break
            number = find_next_step(step, self.values, succeeded=result.status == "ok")
        # A branch may handle a failure, so the last step decides.
        return self._finish(results, answering=results)

    async def run_parallel(self, template: ParallelTemplate) -> CompositionResult:
        steps = {n: step.args for n, step in enumerate(template.steps, start=1)}
        results = await self._run_steps(steps)
        return self._finish(results, answering=results)

    async def _run_steps(self, steps: Mapping[int, dict[str, Any]]) -> list[MemberResult]:
        """Run steps at the same time."""
        prepared = [self._make_member(number, args) for number, args in steps.items()]
        members = [one for one in prepared if isinstance(one, CompositionMember)]
        ran = await run_members(members, self.call_id, self.run_tool, self.admit)
        by_step = {result.step: result for result in ran}
        results = [
            by_step[one.step] if isinstance(one, CompositionMember) else one for one in prepared
        ]
        self.members += results
        known = {**self.values.results, **{result.step: result.output for result in results}}
        self.values = replace(self.values, results=known, previous=results[-1].step)
        return results

    def _make_member(self, number: int, args: dict[str, Any]) -> CompositionMember | MemberResult:
        name = self.composition.tools[number - 1]
        names = (name, *self.composition.fallback_alternatives.get(name, ()))
        try:
            return CompositionMember(
                step=number, names=names, args=fill_template(args, self.values)
            )
        except ValidationError as error:
            return MemberResult(step=number, tried=(name,), status="failed", output=str(error))

    def _finish(
        self, ended: Sequence[MemberResult], *, answering: Sequence[MemberResult]
    ) -> CompositionResult:
        """Make the result: it is a success if what ran last was one."""
        return make_composition_result(
            self.composition,
            self.members,
            [result.step for result in answering],
            succeeded=all(result.status == "ok" for result in ended),
        )
