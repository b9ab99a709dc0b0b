"""S3 property 3, and the order of stages, over scripted runs that are made up at random."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from agents import executor
from agents import settings as settings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_runs import PLANNER, check_steps_once, go, plan_after
from plan_scripts import find, plan_of, planned, step
from subagent_scripts import called

from dataagent_core.engine.loops.staged.agent_state import fold_state
from dataagent_core.engine.loops.staged.stages import (
    CONDITIONS,
    StageFacts,
    Verdict,
    route,
)
from dataagent_core.events.plan import StageName
from tests.counts import examples

# What may follow a stage; None is the end.
FOLLOWING: dict[str, frozenset[str | None]] = {
    "reason": frozenset({"plan"}),
    "plan": frozenset({"execute", None}),
    "execute": frozenset({"review"}),
    "review": frozenset({"execute", None}),
}
STAGES: tuple[StageName, ...] = ("reason", "plan", "execute", "review")
stage_facts = st.builds(
    StageFacts,
    reasoned=st.booleans(),
    planned=st.booleans(),
    steps_over=st.booleans(),
    verdict=st.sampled_from([None, "accepted", "sent_back"]),
)
SLOW = {"text": "x", "delay_s": 20}
BROKEN = {"text": "x", "failures": [{"status": 500}]}


@pytest.mark.requirement("S3-3")
@settings(max_examples=examples(400))
@given(stage=st.sampled_from(STAGES), facts=stage_facts)
def test_property_3_the_route_is_what_the_condition_says(
    stage: StageName, facts: StageFacts
) -> None:
    following = route(stage, facts)
    assert following == CONDITIONS[stage](facts)
    # It stays where it is, or goes on to what may follow, and says the same each time.
    assert following == stage or following in FOLLOWING[stage]
    assert following == route(stage, facts)


@pytest.mark.requirement("S3-3")
def test_property_3_every_stage_has_one_condition_and_is_left_only_for_a_reason() -> None:
    assert set(CONDITIONS) == set(FOLLOWING) == set(STAGES)
    assert [route(stage, StageFacts()) for stage in STAGES] == list(STAGES)
    reached = {route(s, f) for s, f in itertools.product(STAGES, _all_facts())}
    assert reached == {*STAGES, None}


def _all_facts() -> list[StageFacts]:
    verdicts: tuple[Verdict | None, ...] = (None, "accepted", "sent_back")
    return [
        StageFacts(reasoned=a, planned=b, steps_over=c, verdict=d)
        for a, b, c in itertools.product((False, True), repeat=3)
        for d in verdicts
    ]


def verdict(accepted: bool) -> dict[str, Any]:
    return {"text": json.dumps({"accepted": accepted, "problems": [] if accepted else ["more"]})}


reasons = st.sampled_from([{"text": "They want a count."}, BROKEN, SLOW])
plans = st.sampled_from(["good", "prose", "cycle", "broken"])
verdicts = st.lists(st.sampled_from(["yes", "no", "prose", "broken"]), min_size=4, max_size=4)
REVIEWS: dict[str, dict[str, Any]] = {
    "yes": verdict(True),
    "no": verdict(False),
    "prose": {"text": "Fine, I think."},
    "broken": BROKEN,
}
PLANS: dict[str, dict[str, Any]] = {
    "good": {"text": plan_of(step(1, "one"), step(2, "two", 1))},
    "prose": {"text": "First one, then two."},
    "cycle": {"text": plan_of(step(1, "one", 2), step(2, "two", 1))},
    "broken": BROKEN,
}


def make_model(reason: Any, plan: str, reviews: list[str], failing: set[int]) -> Any:
    again = [
        (rf'"first_number": {number}\b', [{"text": plan_of(step(number, f"step {number}"))}])
        for number in range(2, 30)
    ]
    beside = [
        (r'^\{"goal": "go"\}', [reason]),
        *((rf'"round": {number}\}}', [REVIEWS[one]]) for number, one in enumerate(reviews)),
        *again,
        (PLANNER, [PLANS[plan]]),
    ]
    agent = [
        {"tool_calls": [called("finish_step", result=f"no {turn}", success=False)]}
        if turn in failing
        else {"text": f"turn {turn}"}
        for turn in range(30)
    ]
    return planned(beside=beside, agent=agent)


@pytest.mark.requirement("S3-3")
@settings(max_examples=examples(100), deadline=None)
@given(
    reason=reasons,
    plan=plans,
    reviews=verdicts,
    failing=st.sets(st.integers(0, 6), max_size=3),
    rounds_max=st.integers(0, 3),
    replans_max=st.integers(0, 2),
)
async def test_property_3_runs_take_the_stages_in_the_order_of_their_conditions(
    tmp_path: Path,
    *,
    reason: Any,
    plan: str,
    reviews: list[str],
    failing: set[int],
    rounds_max: int,
    replans_max: int,
) -> None:
    model = make_model(reason, plan, reviews, failing)
    chosen = settings_of(
        max_review_rounds=rounds_max, plan_replans_max=replans_max, stage_timeout_ms=150
    )
    context = {"planning": {"loop": "staged", "planning_timeout_ms": 150}}
    events = await go(executor(model, tmp_path, chosen=chosen), context=context)
    check_steps_once(events)
    assert (events[-1].reason, find(events, "error")) == ("completed", [])
    state, done = fold_state("go", events), plan_after(events)
    assert not done.is_open
    assert "pending" not in {s.status.value for s in done.steps}
    sent_back = 0
    for answer in reviews[:rounds_max]:
        if answer != "no":
            break
        sent_back += 1
    expected = [*STAGES, *(["execute", "review"] * sent_back)]
    assert list(state.stages) == expected
    assert state.round == sent_back
    for one, following in itertools.pairwise([*state.stages, None]):
        assert following in FOLLOWING[one]  # type: ignore[index]
    # Versions of the plan move forward, and each stage is entered by one version alone.
    versions = find(events, "work_plan")
    assert [e.round for e in versions] == sorted(e.round for e in versions)
    entered = [stage for stage, _ in itertools.groupby(e.stage for e in versions)]
    assert entered == expected
