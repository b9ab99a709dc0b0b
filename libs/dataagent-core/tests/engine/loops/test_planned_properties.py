"""S3 properties 15 and 16 for runs that work by a plan, and for staged ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, executor
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_runs import check_steps_once, go, plan_after
from plan_scripts import ALWAYS, ASKING, find, plan_of, planned, step
from subagent_scripts import called

from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.planning.work_plan import PlanStatus
from dataagent_core.session.stores.bundle import Stores
from tests.counts import examples

STAGED = {"planning": {"loop": "staged"}}
NAMES = ("north", "south", "west")


class Nobody(Answering):
    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is there")

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is there")


def write(name: str) -> dict[str, Any]:
    return {"tool_calls": [called("write_file", file_path=f"/{name}.txt", content=name)]}


def make_model(asking: set[str], alone: bool) -> Any:
    """Plan three steps side by side, or one after the other; some of them write a file."""

    def turns(name: str) -> list[dict[str, Any]]:
        return [*([write(name)] if name in asking else []), {"text": f"{name} is done"}]

    steps = [
        step(n, name, *([n - 1] if alone and n > 1 else [])) for n, name in enumerate(NAMES, 1)
    ]
    own = [turn for name in NAMES for turn in turns(name)] if alone else [{}]
    accepted = json.dumps({"accepted": True})
    return planned(
        plan_of(*steps),
        beside=[
            (r'^\{"goal": "go"\}', [{"text": "Three files."}]),
            (r'^\{"goal": "go", "steps"', [{"text": accepted}]),
        ],
        agent=[*own, {"text": "All three [steps 1, 2, 3]."}],
        **({} if alone else {name: turns(name) for name in NAMES}),
    )


@pytest.mark.requirement("S3-15")
@pytest.mark.requirement("S3-16")
@settings(max_examples=examples(100), deadline=None)
@given(
    asking=st.sets(st.sampled_from(NAMES), min_size=1),
    alone=st.booleans(),
    context=st.sampled_from([ALWAYS, STAGED]),
)
async def test_property_15_and_16_a_planned_run_waits_and_goes_on_with_no_event_lost(
    tmp_path: Path, asking: set[str], alone: bool, context: Any
) -> None:
    stores, model = Stores.in_memory(), make_model(asking, alone)
    for name in NAMES:
        (tmp_path / f"{name}.txt").unlink(missing_ok=True)
    waiting = executor(model, tmp_path, stores=stores, handler=Nobody())
    events = await go(waiting, context=context)
    # It waits, with nothing done that needs a yes, and nothing after it.
    assert events[-1].event_type == "hitl_request"
    assert not any((tmp_path / f"{name}.txt").exists() for name in NAMES)
    state = await waiting.read_state("s")
    assert (state.status, state.needs_approval) == ("waiting_approval", True)
    assert len(state.open_requests) == (1 if alone else len(asking))
    assert "done" not in {event.event_type for event in events}
    stood = plan_after(events)
    assert stood.status is PlanStatus.IN_PROGRESS
    under_way = {s.description for s in stood.steps if s.status.value == "in_progress"}
    assert under_way == ({min(asking, key=NAMES.index)} if alone else asking)

    person = Answering()
    again = executor(model, tmp_path, stores=stores, handler=person)
    events += [event async for event in again.resume("s")]
    check_steps_once(events)
    # What was streamed is what happened, in that order, and all of it.
    log = await stores.log.read("s", limit=10_000)
    assert [event.seq for event in events] == list(range(1, len(log) + 1))
    assert [event.event_id for event in events] == [event.event_id for event in log]
    assert len(person.asked) == len(asking)
    assert {s.status.value for s in plan_after(events).steps} == {"completed"}
    assert {name for name in NAMES if (tmp_path / f"{name}.txt").exists()} == asking
    order = [
        (e.event_type, e.step_number) for e in events if e.event_type in {"step_start", "step_end"}
    ]
    for number in (1, 2, 3):
        assert order.index(("step_start", number)) < order.index(("step_end", number))
    assert (events[-1].content, events[-1].reason) == ("All three [steps 1, 2, 3].", "completed")
    assert (await again.read_state("s")).status == "completed"


@pytest.mark.requirement("S3-15")
@pytest.mark.parametrize("context", [ASKING, {"planning": {"loop": "staged", "ask": True}}])
async def test_property_15_a_plan_that_waits_for_a_person_is_only_proposed(
    tmp_path: Path, context: Any
) -> None:
    stores = Stores.in_memory()
    model = planned(
        plan_of(*(step(n, f"s{n}") for n in range(1, 5)), confidence=0.1),
        beside=[
            (r'^\{"goal": "go"\}', [{"text": "Files."}]),
            (r'^\{"goal": "go", "steps"', [{"text": '{"accepted": true}'}]),
            (r"^s\d", [{"text": "ok"}]),
        ],
        agent=[{}, {}, {"text": "All [step 1]."}],
    )
    waiting = executor(model, tmp_path, stores=stores, handler=Nobody())
    events = await go(waiting, context=context)
    assert events[-1].event_type == "hitl_request"
    assert plan_after(events).status is PlanStatus.PLANNING
    assert find(events, "step_start") == []
    assert (await waiting.read_state("s")).status == "waiting_approval"
    # Resumed by a process whose person says nothing: the recommended option counts.
    again = executor(model, tmp_path, stores=stores, handler=Answering())
    events += [event async for event in again.resume("s")]
    check_steps_once(events)
    assert {s.status.value for s in plan_after(events).steps} == {"completed"}
    planning = [r for r in model.requests if r[-1].text.startswith('{"message"')]
    assert len(planning) == 1
