"""Proposes a better order for a composition from what was measured of its members. Pure.

Steps that use no result of each other may run side by side or change places; those that depend on
each other never do (S2 §16.4, task 2.2). A step that changes the world stays where it is among
all others, because what it changes may be what another step reads. Of steps that may change places,
the one that fails often and fast comes first: an execution that fails then costs least.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.composition_store import MemberStatistics
from dataagent_core.tools.composition.composition_template import SequentialTemplate
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.template_check import check_template
from dataagent_core.tools.composition.template_values import find_references
from dataagent_core.tools.effects import Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionProposal:
    """An order of the steps, by their present numbers, and which may run at the same time."""

    order: tuple[int, ...]
    # Each stage begins when the one before has ended.
    stages: tuple[tuple[int, ...], ...]
    # What one execution takes, as it is now, in the new order, and side by side.
    present_ms: float
    ordered_ms: float
    parallel_ms: float

    @property
    def is_better(self) -> bool:
        """Whether the order or running side by side saves anything."""
        return min(self.ordered_ms, self.parallel_ms) < self.present_ms


def propose_order(
    composition: ToolComposition,
    measured: Mapping[str, MemberStatistics],
    effects: Mapping[str, Effect],
) -> CompositionProposal:
    """Propose an order for a sequential composition; the effect of an unknown tool is the worst."""
    template = check_template(composition)
    if not isinstance(template, SequentialTemplate):
        raise ValidationError(
            f"the composition {composition.name!r} is {template.kind}: only the steps of a "
            "sequential one have an order to improve."
        )
    statistics = {
        number: measured.get(tool, MemberStatistics())
        for number, tool in enumerate(composition.tools, start=1)
    }
    needs = find_dependencies(
        [step.args for step in template.steps],
        [effects.get(tool) == "pure" for tool in composition.tools],
    )
    order = _order_steps(needs, statistics)
    stages = _make_stages(needs)
    averages = {number: one.average_ms for number, one in statistics.items()}
    return CompositionProposal(
        order=order,
        stages=stages,
        present_ms=_expect_ms(sorted(needs), statistics),
        ordered_ms=_expect_ms(order, statistics),
        parallel_ms=sum(max(averages[number] for number in stage) for stage in stages),
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


def _order_steps(
    needs: Mapping[int, frozenset[int]], statistics: Mapping[int, MemberStatistics]
) -> tuple[int, ...]:
    def urgency(number: int) -> tuple[float, int]:
        one = statistics[number]
        return -one.failure_rate / max(one.average_ms, 1.0), number

    order: list[int] = []
    while len(order) < len(needs):
        ready = [n for n in needs if n not in order and needs[n] <= set(order)]
        order.append(min(ready, key=urgency))
    better = _expect_ms(order, statistics) < _expect_ms(sorted(needs), statistics)
    return tuple(order if better else sorted(needs))


def _make_stages(needs: Mapping[int, frozenset[int]]) -> tuple[tuple[int, ...], ...]:
    level: dict[int, int] = {}
    for number in sorted(needs):
        level[number] = 1 + max((level[one] for one in needs[number]), default=0)
    return tuple(
        tuple(number for number in sorted(level) if level[number] == depth)
        for depth in range(1, max(level.values()) + 1)
    )


def _expect_ms(order: Sequence[int], statistics: Mapping[int, MemberStatistics]) -> float:
    """Compute what one execution takes on average: it ends at the first step that fails."""
    total, reached = 0.0, 1.0
    for number in order:
        total += reached * statistics[number].average_ms
        reached *= 1 - statistics[number].failure_rate
    return total
