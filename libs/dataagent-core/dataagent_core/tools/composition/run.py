"""Carries out a composition: in sequence, side by side, or by condition."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.calls import Admit, Member, MemberResult, RunTool
from dataagent_core.tools.composition.check import checked_template
from dataagent_core.tools.composition.conditions import next_step
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.filling import Values, filled
from dataagent_core.tools.composition.members import run_members
from dataagent_core.tools.composition.result import CompositionResult, result_of
from dataagent_core.tools.composition.template import Conditional, Parallel, Sequential


async def run_composition(
    composition: ToolComposition,
    inputs: Mapping[str, Any],
    *,
    call_id: str,
    run_tool: RunTool,
    admit: Admit,
) -> CompositionResult:
    """Run the members through the hands given; their calls have ids made from `call_id`."""
    template = checked_template(composition)
    defaults = {
        n: schema["default"] for n, schema in template.inputs.items() if "default" in schema
    }
    values = Values(inputs={**defaults, **inputs}, results={})
    walk = _Walk(composition, call_id, run_tool, admit, values)
    match template:
        case Sequential():
            return await walk.in_sequence(template)
        case Parallel():
            return await walk.side_by_side(template)
        case Conditional():
            return await walk.by_condition(template)
        case _:
            assert_never(template)


@dataclass(slots=True)
class _Walk:
    composition: ToolComposition
    call_id: str
    run_tool: RunTool
    admit: Admit
    values: Values
    members: list[MemberResult] = field(default_factory=list[MemberResult])

    async def in_sequence(self, template: Sequential) -> CompositionResult:
        for number, step in enumerate(template.steps, start=1):
            result = await self._run(number, step.args)
            if result.status != "ok":
                break
        return self._ended()

    async def by_condition(self, template: Conditional) -> CompositionResult:
        number: int | None = 1
        while number is not None:  # ends: branches only lead forward
            step = template.steps[number - 1]
            result = await self._run(number, step.args)
            # A refusal is somebody's word, not a failure to find a way around.
            if result.status not in {"ok", "failed"}:
                break
            number = next_step(step, self.values, succeeded=result.status == "ok")
        return self._ended()

    async def side_by_side(self, template: Parallel) -> CompositionResult:
        made = [self._member(n, step.args) for n, step in enumerate(template.steps, start=1)]
        members = [one for one in made if isinstance(one, Member)]
        ran = await run_members(members, self.call_id, self.run_tool, self.admit)
        by_step = {result.step: result for result in ran}
        results = [by_step[one.step] if isinstance(one, Member) else one for one in made]
        succeeded = all(result.status == "ok" for result in results)
        steps = [result.step for result in results]
        return result_of(self.composition, results, steps, succeeded=succeeded)

    async def _run(self, number: int, args: dict[str, Any]) -> MemberResult:
        result = self._member(number, args)
        if isinstance(result, Member):
            result, *_ = await run_members([result], self.call_id, self.run_tool, self.admit)
        self.members.append(result)
        known = {**self.values.results, number: result.output}
        self.values = replace(self.values, results=known, previous=number)
        return result

    def _member(self, number: int, args: dict[str, Any]) -> Member | MemberResult:
        name = self.composition.tools[number - 1]
        names = (name, *self.composition.fallback_alternatives.get(name, ()))
        try:
            return Member(step=number, names=names, args=filled(args, self.values))
        except ValidationError as error:
            return MemberResult(step=number, tried=(name,), status="failed", output=str(error))

    def _ended(self) -> CompositionResult:
        # A failure that a branch took care of is not the end; so the last step decides.
        last = self.members[-1]
        succeeded = last.status == "ok"
        return result_of(self.composition, self.members, [last.step], succeeded=succeeded)
