"""Proposes better stages for a sequence from what was measured of its members. Pure.

A stage is a set of steps that run at the same time (S2 §16.4, task 2.2). Never changed: a step
comes after every step whose result it uses; a step that does more than read keeps its place among
all others, because what it changes may be what another step reads; and the last step, whose output
is the answer, stays the last. Among the plans that keep this, the one with the shortest expected
time wins: a step that fails often and fast comes first, and what can run together does.
`composition_order.py` writes a proposal into a composition; only a person decides to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, Final, Literal

from dataagent_core.config.limits import COMPOSITION_RATED_EXECUTIONS_MIN
from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.composition_store import MemberStatistics
from dataagent_core.tools.composition.composition_template import SequentialTemplate
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.template_check import check_template
from dataagent_core.tools.composition.template_values import find_references
from dataagent_core.tools.effects import Effect

Stages = tuple[tuple[int, ...], ...]
ProposalOutcome = Literal["better", "nothing_better", "measured_too_little"]

# A smaller share of the time is within what two measurements differ by.
_GAIN_SHARE_MIN: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionProposal:
    """Stages of the steps, by their present numbers, and what one execution takes."""

    outcome: ProposalOutcome
    reason: str
    present: Stages
    # The present ones, unless others are better.
    stages: Stages
    present_ms: float
    expected_ms: float


@dataclass(frozen=True, slots=True)
class _StepMeasure:
    """What one step takes with its alternatives, and how often all of them fail."""

    average_ms: float
    failure_rate: float


def propose_order(
    composition: ToolComposition,
    measured: Mapping[str, MemberStatistics],
    effects: Mapping[str, Effect],
) -> CompositionProposal:
    """Propose stages for a sequential composition; the effect of an unknown tool is the worst."""
    template = check_template(composition)
    if not isinstance(template, SequentialTemplate):
        raise ValidationError(
            f"the composition {composition.name!r} is {template.kind}: only the steps of a "
            "sequential one have an order to improve."
        )
    present = template.list_stages()
    names = [_list_tools(composition, tool) for tool in composition.tools]
    measures = {
        number: _measure_step([measured.get(name, MemberStatistics()) for name in tools])
        for number, tools in enumerate(names, start=1)
    }
    needs = find_dependencies(
        [step.args for step in template.steps],
        [all(effects.get(name) == "pure" for name in tools) for tools in names],
    )
    present_ms = expect_ms(present, measures)
    rare = [
        tool
        for tool in dict.fromkeys(composition.tools)
        if measured.get(tool, MemberStatistics()).calls < COMPOSITION_RATED_EXECUTIONS_MIN
    ]
    best = min(
        list_plans(needs), key=lambda plan: (expect_ms(plan, measures), -len(plan), [*chain(*plan)])
    )
    best_ms = expect_ms(best, measures)
    if rare:
        outcome, reason = "measured_too_little", _explain_rare(rare)
    elif best_ms > present_ms * (1 - _GAIN_SHARE_MIN) or present_ms == 0:
        outcome, reason = "nothing_better", "No other order of these steps saves time."
    else:
        outcome, reason = "better", _explain(best, composition, measures)
    better = outcome == "better"
    return CompositionProposal(
        outcome=outcome,
        reason=reason,
        present=present,
        stages=best if better else present,
        present_ms=present_ms,
        expected_ms=best_ms if better else present_ms,
    )


def find_dependencies(
    arguments: Sequence[Mapping[str, Any]], pure: Sequence[bool]
) -> dict[int, frozenset[int]]:
    """Say for each step which earlier steps must have ended before it begins."""
    needs: dict[int, frozenset[int]] = {}
    for number, args in enumerate(arguments, start=1):
        used = {
            number - 1 if reference.source == "previous" else reference.step or 0
            for reference in find_references(dict(args))
            if reference.source != "input"
        }
        earlier = range(1, number)
        # A step that changes the world waits for all before it, and all after it wait for it.
        held = {one for one in earlier if not pure[number - 1] or not pure[one - 1]}
        needs[number] = frozenset(used | held)
    return needs


def list_plans(needs: Mapping[int, frozenset[int]]) -> Iterator[Stages]:
    """List the plans that keep the dependencies and the last step: 541 at most for five steps."""
    last = max(needs)

    def extend(plan: Stages, left: frozenset[int]) -> Iterator[Stages]:
        if not left:
            yield plan
            return
        ready = [number for number in sorted(left) if not needs[number] & left]
        for size in range(1, len(ready) + 1):
            for stage in combinations(ready, size):
                rest = left - set(stage)
                if last not in stage or not rest:
                    yield from extend((*plan, stage), rest)

    return extend((), frozenset(needs))


def expect_ms(plan: Stages, measures: Mapping[int, _StepMeasure]) -> float:
    """Compute what one execution takes on average: it ends with the first stage that fails."""
    total, reached = 0.0, 1.0
    for stage in plan:
        total += reached * max(measures[number].average_ms for number in stage)
        for number in stage:
            reached *= 1 - measures[number].failure_rate
    return total


def _list_tools(composition: ToolComposition, tool: str) -> list[str]:
    return [tool, *composition.fallback_alternatives.get(tool, ())]


def _measure_step(attempts: Sequence[MemberStatistics]) -> _StepMeasure:
    """Add up the tool of a step and its alternatives, each tried when those before it failed."""
    average_ms, failed = 0.0, 1.0
    for one in attempts:
        average_ms += failed * one.average_ms
        failed *= one.failure_rate
    return _StepMeasure(average_ms, failed)


def _explain_rare(rare: Sequence[str]) -> str:
    return (
        f"{', '.join(rare)} ran fewer than {COMPOSITION_RATED_EXECUTIONS_MIN} times. "
        "Run the composition more often, then ask again."
    )


def _explain(
    plan: Stages, composition: ToolComposition, measures: Mapping[int, _StepMeasure]
) -> str:
    def name(number: int) -> str:
        return f"{number} ({composition.tools[number - 1]})"

    sentences = [
        f"Steps {', '.join(map(name, stage))} run at the same time: they only read, and none uses "
        "a result of another."
        for stage in plan
        if len(stage) > 1
    ]
    flat = [*chain(*plan)]
    for place, number in enumerate(flat):
        passed = [other for other in flat[place + 1 :] if other < number]
        if passed:
            one = measures[number]
            sentences.append(
                f"Step {name(number)} runs before {', '.join(map(name, passed))}: it fails in "
                f"{one.failure_rate:.0%} of its executions and takes {one.average_ms:,.0f} ms."
            )
    return " ".join(sentences)
