"""Runs a composition: sequential, parallel or conditional."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from dataagent_core.errors import ValidationError
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
    MemberResult,
    RunTool,
)
from dataagent_core.tools.composition.member_runs import run_members
from dataagent_core.tools.composition.template_check import check_template
from dataagent_core.tools.composition.template_values import TemplateValues, fill_template

_HOLDS: dict[Operator, Callable[[Any, Any], bool]] = {
    "equals": lambda value, to: value == to,
    "not_equals": lambda value, to: value != to,
    "contains": lambda value, to: to in value,
    "greater": lambda value, to: value > to,
    "less": lambda value, to: value < to,
    "exists": lambda _value, to: to is not False,
}


def find_next_step(step: ConditionalStep, values: TemplateValues, *, succeeded: bool) -> int | None:
    """Return the number of the step that the first fitting branch leads to."""
    ended = "success" if succeeded else "failure"
    for branch in step.next:
        if branch.on == ended and (branch.when is None or is_condition_true(branch.when, values)):
            return branch.step
    return None


def is_condition_true(condition: Condition, values: TemplateValues) -> bool:
    """Judge a condition; a part that is not there exists not, and compares with nothing."""
    try:
        value = fill_template(condition.value, values)
    except ValidationError:
        return condition.op == "exists" and condition.to is False
    try:
        return bool(_HOLDS[condition.op](value, condition.to))
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
    """Run the members through the hands given; their calls have ids made from `call_id`."""
    template = check_template(composition)
    defaults = {
        n: schema["default"] for n, schema in template.inputs.items() if "default" in schema
    }
    values = TemplateValues(inputs={**defaults, **inputs}, results={})
    walk = _CompositionRun(composition, call_id, run_tool, admit, values)
    match template:
        case SequentialTemplate():
            return await walk.in_sequence(template)
        case ParallelTemplate():
            return await walk.side_by_side(template)
        case ConditionalTemplate():
            return await walk.by_condition(template)
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

    async def in_sequence(self, template: SequentialTemplate) -> CompositionResult:
        for number, step in enumerate(template.steps, start=1):
            result = await self._run(number, step.args)
            if result.status != "ok":
                break
        return self._ended()

    async def by_condition(self, template: ConditionalTemplate) -> CompositionResult:
        number: int | None = 1
        while number is not None:  # ends: branches only lead forward
            step = template.steps[number - 1]
            result = await self._run(number, step.args)
            # A refusal is somebody's word, not a failure to find a way around.
            if result.status not in {"ok", "failed"}:
                break
            number = find_next_step(step, self.values, succeeded=result.status == "ok")
        return self._ended()

    async def side_by_side(self, template: ParallelTemplate) -> CompositionResult:
        made = [self._member(n, step.args) for n, step in enumerate(template.steps, start=1)]
        members = [one for one in made if isinstance(one, CompositionMember)]
        ran = await run_members(members, self.call_id, self.run_tool, self.admit)
        by_step = {result.step: result for result in ran}
        results = [by_step[one.step] if isinstance(one, CompositionMember) else one for one in made]
        succeeded = all(result.status == "ok" for result in results)
        steps = [result.step for result in results]
        return make_composition_result(self.composition, results, steps, succeeded=succeeded)

    async def _run(self, number: int, args: dict[str, Any]) -> MemberResult:
        result = self._member(number, args)
        if isinstance(result, CompositionMember):
            result, *_ = await run_members([result], self.call_id, self.run_tool, self.admit)
        self.members.append(result)
        known = {**self.values.results, number: result.output}
        self.values = replace(self.values, results=known, previous=number)
        return result

    def _member(self, number: int, args: dict[str, Any]) -> CompositionMember | MemberResult:
        name = self.composition.tools[number - 1]
        names = (name, *self.composition.fallback_alternatives.get(name, ()))
        try:
            return CompositionMember(
                step=number, names=names, args=fill_template(args, self.values)
            )
        except ValidationError as error:
            return MemberResult(step=number, tried=(name,), status="failed", output=str(error))

    def _ended(self) -> CompositionResult:
        # A failure that a branch took care of is not the end; so the last step decides.
        last = self.members[-1]
        succeeded = last.status == "ok"
        return make_composition_result(
            self.composition, self.members, [last.step], succeeded=succeeded
        )
