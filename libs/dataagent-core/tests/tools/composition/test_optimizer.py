"""The optimizer never breaks a dependency, and proposes nothing that takes longer."""

import json
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition import (
    MemberCall,
    MemberStatistics,
    ToolComposition,
    admit_all,
    apply_stages,
    propose_order,
    run_composition,
)
from dataagent_core.tools.composition.optimizer import find_dependencies, list_plans
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
    kinds=st.lists(st.sampled_from(["pure", "idempotent", "irreversible"]), min_size=5, max_size=5),
)
@pytest.mark.requirement("S2-16.4-2.2-optimizer")
def test_dependencies_and_effects_keep_their_order(
    steps: list[dict[str, Any]], measured: list[MemberStatistics], kinds: list[Effect]
) -> None:
    names = [f"t{n}" for n in range(1, len(steps) + 1)]
    effects = dict(zip(names, kinds, strict=False))
    proposal = propose_order(make(steps), dict(zip(names, measured, strict=False)), effects)
    needs = find_dependencies(steps, [effects[name] == "pure" for name in names])
    order = [*chain(*proposal.stages)]
    assert sorted(order) == list(range(1, len(steps) + 1))
    assert order[-1] == len(steps), "the last step's output is the answer"
    stage_of = {n: depth for depth, stage in enumerate(proposal.stages) for n in stage}
    for number, before in needs.items():
        assert all(stage_of[one] < stage_of[number] for one in before)
    # Whatever does more than read happens alone and in the same order as before.
    acting = [n for n in order if effects[f"t{n}"] != "pure"]
    assert acting == sorted(acting)
    assert all(proposal.stages[stage_of[n]] == (n,) for n in acting)
    assert proposal.expected_ms <= proposal.present_ms
    assert (proposal.outcome == "better") == (proposal.stages != proposal.present)


@given(steps=drawn_steps(), data=st.data())
async def test_a_sequence_in_other_stages_gives_the_same_answer(
    steps: list[dict[str, Any]], data: st.DataObject
) -> None:
    before = make(steps)
    plans = list(list_plans(find_dependencies(steps, [True] * len(steps))))
    after = apply_stages(before, data.draw(st.sampled_from(plans)))

    async def echo(call: MemberCall) -> ToolMessage:
        text = json.dumps({"x": [call.name, call.args]})
        return ToolMessage(content=text, tool_call_id=call.call_id)

    async def answer(composition: ToolComposition) -> Any:
        done = await run_composition(composition, {}, call_id="c", run_tool=echo, admit=admit_all)
        assert done.succeeded
        return [m.output for m in done.members if m.step in done.answering]

    assert await answer(after) == await answer(before)


def test_what_fails_often_and_fast_comes_first() -> None:
    steps: list[dict[str, Any]] = [{"x": 1}, {"x": 2}, {"x": "{{step.1}}"}]
    measured = {
        "t1": MemberStatistics(calls=10, failures=0, total_ms=10_000),
        "t2": MemberStatistics(calls=10, failures=5, total_ms=1_000),
        "t3": MemberStatistics(calls=10, failures=0, total_ms=1_000),
    }
    effects: dict[str, Effect] = dict.fromkeys(measured, "pure")
    proposal = propose_order(make(steps), measured, effects)
    assert proposal.outcome == "better"
    assert proposal.stages == ((2,), (1,), (3,))
    assert (proposal.present_ms, proposal.expected_ms) == (1_150, 650)
    assert proposal.reason == (
        "Step 2 (t2) runs before 1 (t1): it fails in 50% of its executions and takes 100 ms."
    )
    changed = apply_stages(make(steps), proposal.stages)
    assert changed.tools == ("t2", "t1", "t3")
    assert changed.execution_template["steps"][2] == {"args": {"x": "{{step.2}}"}}
    again = propose_order(changed, measured, effects)
    assert (again.outcome, again.stages) == ("nothing_better", ((1,), (2,), (3,)))


def test_what_only_reads_runs_at_the_same_time_unless_an_alternative_writes() -> None:
    steps: list[dict[str, Any]] = [{"x": 1}, {"x": 2}]
    one = MemberStatistics(calls=5, total_ms=500)
    measured = {"t1": one, "t2": one}
    effects: dict[str, Effect] = {"t1": "pure", "t2": "pure", "w": "idempotent"}
    proposal = propose_order(make(steps), measured, effects)
    assert proposal.stages == ((1, 2),)
    assert (proposal.present_ms, proposal.expected_ms) == (200, 100)
    assert proposal.reason.startswith("Steps 1 (t1), 2 (t2) run at the same time")
    changed = apply_stages(make(steps), proposal.stages)
    assert changed.execution_template["steps"][1] == {"args": {"x": 2}, "beside_previous": True}
    guarded = replace(make(steps), fallback_alternatives={"t2": ["w"]})
    assert propose_order(guarded, measured, effects).outcome == "nothing_better"


def test_nothing_is_proposed_before_enough_was_measured() -> None:
    proposal = propose_order(make([{"x": 1}, {"x": 2}]), {}, {"t1": "pure", "t2": "pure"})
    assert proposal.outcome == "measured_too_little"
    assert "t1, t2 ran fewer than 5 times" in proposal.reason


def test_only_a_sequence_has_an_order() -> None:
    with pytest.raises(ValidationError, match="is parallel"):
        propose_order(make([{"x": 1}], "parallel"), {}, {})
