"""The optimizer never breaks a dependency, and proposes nothing that takes longer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition import MemberStatistics, ToolComposition, propose_order
from dataagent_core.tools.composition.optimizer import find_dependencies
from dataagent_core.tools.effects import Effect


def make(steps: list[dict[str, Any]], kind: str = "sequential") -> ToolComposition:
    template = {"kind": kind, "steps": [{"args": args} for args in steps]}
    return ToolComposition("c", "c", "d", [f"t{n}" for n in range(1, len(steps) + 1)], template, {})


@st.composite
def drawn_steps(draw: st.DrawFn) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        known = ["plain", *(f"{{{{step.{n}.x}}}}" for n in range(1, number))]
        if number > 1:
            known.append("a {{previous}} b")
        steps.append({"x": [draw(st.sampled_from(known))], "y": draw(st.sampled_from(known))})
    return steps


def measured_as(calls: int, failed: int, ms: int) -> MemberStatistics:
    return MemberStatistics(calls=calls, failures=min(failed, calls), total_ms=ms * calls)


statistics = st.builds(measured_as, st.integers(0, 20), st.integers(0, 20), st.integers(0, 1_000))


@given(
    steps=drawn_steps(),
    measured=st.lists(statistics, min_size=5, max_size=5),
    kinds=st.lists(st.sampled_from(["pure", "irreversible"]), min_size=5, max_size=5),
)
def test_dependencies_are_never_violated(
    steps: list[dict[str, Any]], measured: list[MemberStatistics], kinds: list[Effect]
) -> None:
    names = [f"t{n}" for n in range(1, len(steps) + 1)]
    effects = dict(zip(names, kinds, strict=False))
    proposal = propose_order(make(steps), dict(zip(names, measured, strict=False)), effects)
    needs = find_dependencies(steps, [effects[name] == "pure" for name in names])
    assert sorted(proposal.order) == list(range(1, len(steps) + 1))
    assert sorted(n for stage in proposal.stages for n in stage) == sorted(proposal.order)
    stage_of = {n: depth for depth, stage in enumerate(proposal.stages) for n in stage}
    for number, before in needs.items():
        for one in before:
            assert proposal.order.index(one) < proposal.order.index(number)
            assert stage_of[one] < stage_of[number]
    # Whatever changes the world happens in the same order as before.
    acting = [n for n in proposal.order if effects[f"t{n}"] != "pure"]
    assert acting == sorted(acting)
    assert proposal.ordered_ms <= proposal.present_ms


def test_what_fails_often_and_fast_comes_first_and_the_rest_runs_side_by_side() -> None:
    steps: list[dict[str, Any]] = [{"x": 1}, {"x": 2}, {"x": "{{step.1}}"}]
    measured = {
        "t1": MemberStatistics(calls=10, failures=0, total_ms=10_000),
        "t2": MemberStatistics(calls=10, failures=5, total_ms=1_000),
        "t3": MemberStatistics(calls=10, failures=0, total_ms=1_000),
    }
    effects: dict[str, Effect] = dict.fromkeys(measured, "pure")
    proposal = propose_order(make(steps), measured, effects)
    assert proposal.order == (2, 1, 3)
    assert proposal.stages == ((1, 2), (3,))
    assert (proposal.present_ms, proposal.ordered_ms) == (1_150, 650)
    assert proposal.parallel_ms == 1_100
    assert proposal.is_better


def test_only_a_sequence_has_an_order() -> None:
    with pytest.raises(ValidationError, match="is parallel"):
        propose_order(make([{"x": 1}], "parallel"), {}, {})
