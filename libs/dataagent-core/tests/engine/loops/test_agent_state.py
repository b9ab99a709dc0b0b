"""S3 properties 1 and 2: the state of a run keeps its fields from stage to stage, and in JSON."""

import json
from pathlib import Path
from typing import Any

import pytest
from agents import executor
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_runs import go
from plan_scripts import ALWAYS, plan_of, planned, step

from dataagent_core.engine.loops.staged.agent_state import (
    AgentState,
    fold_state,
    read_agent_state,
    read_state_dict,
)
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    ToolResultEvent,
    WorkPlanEvent,
)
from dataagent_core.planning import edit_plan, read_edits, read_plan
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.testing.strategies import events as any_events
from dataagent_core.testing.strategies import text
from tests.counts import examples

# Which fields an event may change; no other field of the state may differ after it.
CONCERNED: dict[type, set[str]] = {
    TextEvent: {"messages"},
    RunResumedEvent: {"messages"},
    WorkPlanEvent: {"plan", "stages", "round"},
    StepStartEvent: {"current_task", "open_steps"},
    StepEndEvent: {"current_task", "open_steps"},
    ToolResultEvent: {"tool_results"},
    HITLRequestEvent: {"open_requests", "status"},
    HITLAnswerEvent: {"open_requests", "status"},
    ErrorEvent: {"error"},
    DoneEvent: {"current_task", "open_steps", "open_requests", "status"},
}
histories = st.lists(any_events(), max_size=30)


def changed_fields(before: AgentState, after: AgentState) -> set[str]:
    old, new = before.to_dict(), after.to_dict()
    assert old.keys() == new.keys()
    return {name for name in old if old[name] != new[name]}


def through_json(state: AgentState) -> AgentState:
    return read_state_dict(json.loads(json.dumps(state.to_dict())))


@pytest.mark.requirement("S3-1")
@settings(max_examples=examples(200))
@given(events=histories, task=text(), data=st.data())
def test_property_1_the_state_loses_no_field_on_its_way(
    events: list[Event], task: str, data: st.DataObject
) -> None:
    """Written down and read again between any two events, it is the same as made at once."""
    whole = fold_state(task, events)
    state = fold_state(task, [])
    for event in events:
        after = state.after(event)
        assert changed_fields(state, after) <= CONCERNED.get(type(event), set())
        state = through_json(after) if data.draw(st.booleans()) else after
    assert state == whole
    # What was said, found and asked only grows, but for what a crash made void.
    if not any(isinstance(event, RunResumedEvent) for event in events):
        finals = [e for e in events if isinstance(e, TextEvent) and e.is_final]
        own = [e.content for e in finals if e.subagent_id is None]
        assert [m["content"] for m in whole.messages] == [task, *own]
    results = [e for e in events if isinstance(e, ToolResultEvent) and e.subagent_id is None]
    assert [r["tool_call_id"] for r in whole.tool_results] == [e.tool_call_id for e in results]


@pytest.mark.requirement("S3-2")
@settings(max_examples=examples(200))
@given(events=histories, task=text())
def test_property_2_a_state_that_is_written_and_read_equals_the_first(
    events: list[Event], task: str
) -> None:
    state = fold_state(task, events)
    assert through_json(state) == state
    assert through_json(state).to_dict() == state.to_dict()
    assert (state.needs_approval, state.approval_request) == (
        bool(state.open_requests),
        state.open_requests[0] if state.open_requests else None,
    )


json_maps = st.dictionaries(
    text(),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=3,
)
requests = st.fixed_dictionaries({"interrupt_id": text(), "kind": text()})
any_states = st.builds(
    AgentState,
    messages=st.lists(json_maps, max_size=3).map(tuple),
    current_task=st.none() | text(),
    open_steps=st.lists(json_maps, max_size=2).map(tuple),
    plan=st.none() | json_maps,
    tool_results=st.lists(json_maps, max_size=2).map(tuple),
    open_requests=st.lists(requests, max_size=2).map(tuple),
    error=st.none() | text(),
    status=st.sampled_from(["running", "waiting_approval", "completed", "failed"]),
    stages=st.lists(st.sampled_from(["reason", "plan", "execute", "review"]), max_size=5).map(
        tuple
    ),
    round=st.integers(0, 10),
)


@pytest.mark.requirement("S3-2")
@settings(max_examples=examples(100))
@given(state=any_states)
def test_property_2_any_state_survives_being_written_and_read(state: AgentState) -> None:
    assert through_json(state) == state


@pytest.mark.requirement("S3-2")
@pytest.mark.parametrize(
    "data", [None, [], {"messages": 3}, {"status": "asleep"}, {"round": "many"}, {"plan": []}]
)
def test_what_is_no_state_is_refused(data: object) -> None:
    with pytest.raises(ValidationError, match="not a state"):
        read_state_dict(data)


@pytest.mark.requirement("S3-1")
async def test_the_state_of_a_real_run_has_everything(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    reading = {"tool_calls": [{"name": "ls", "args": {"path": "/"}}]}
    model = planned(
        plan_of(step(1, "look")), agent=[reading, {"text": "3 files"}, {"text": "3 [step 1]"}]
    )
    agent = executor(model, tmp_path, stores=stores)
    events = await go(agent)
    state = await read_agent_state(stores, "s")
    assert state == fold_state("go", events)
    assert [m["content"] for m in state.messages] == ["go", "3 files", "3 [step 1]"]
    assert [r["tool_name"] for r in state.tool_results] == ["ls", "finish_step"]
    assert (state.status, state.current_task, state.error) == ("completed", None, None)
    assert state.plan is not None
    assert state.plan["status"] == "completed"
    with pytest.raises(NotFoundError):
        await read_agent_state(stores, "another")


def test_steps_side_by_side_are_all_under_way() -> None:
    def starts(number: int) -> Event:
        return StepStartEvent(step_number=number, description=f"s{number}")

    state = fold_state("go", [starts(1), starts(2), StepEndEvent(step_number=1)])
    assert state.current_task == "s2"
    assert state.after(StepEndEvent(step_number=2)).current_task is None


def test_what_a_crash_made_void_is_no_message() -> None:
    said = [TextEvent(content=f"{seq}", is_final=True, seq=seq) for seq in (3, 8)]
    state = fold_state("go", [*said, RunResumedEvent(attempt=2, discard_after=5, seq=9)])
    assert [m["content"] for m in state.messages] == ["go", "3"]


async def test_what_a_person_changed_last_is_in_the_state(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    plan = plan_of(step(1, "one"), step(2, "two", 1))
    agent = executor(planned(plan, agent=[{"text": "1", "delay_s": 0.01}]), tmp_path, stores=stores)
    running: Any = agent.execute("go", "s", ALWAYS)
    async for event in running:
        if event.event_type == "step_start":
            break
    known = await read_plan(stores.log, "s")
    assert known is not None
    edits = read_edits([{"op": "skip", "step_number": 2}])
    edited = await edit_plan(stores.log, "s", edits, version=known.version, by="ada")
    state = await read_agent_state(stores, "s")
    assert state.plan is not None
    assert state.plan["version"] == edited.version
    await running.aclose()
