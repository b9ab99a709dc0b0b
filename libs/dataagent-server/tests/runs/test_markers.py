"""S2's checkpoints: markers of where a run stood, written with the events they are read from."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_runs import PERSON, TENANT, log_of, open_scripted_runs, send_message, wait_for_status
from sqlalchemy import func, select

from dataagent_core.events import (
    DoneEvent,
    Event,
    StepEndEvent,
    StepFinishEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
    WorkPlanEvent,
)
from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import execution_checkpoints
from dataagent_server.runs.history.markers import RunMarker, last_marker, markers_of_session
from dataagent_server.runs.history.steps import RunPosition, may_mark, steps_in
from dataagent_server.sessions.session_rows import remove_whole
from dataagent_server.stores.retention import forget_checkpoints

pytestmark = pytest.mark.every_database

LOOK = {"name": "ls", "args": {"path": "/"}}
FIND = {"name": "glob", "args": {"pattern": "*.md"}}
NOTHING = RunPosition(None, None)


async def markers(database: Database, session_id: str = "s", **which: Any) -> list[RunMarker]:
    wanted: dict[str, Any] = {"limit": 100, **which}
    return await database.read(lambda c: markers_of_session(c, TENANT, session_id, **wanted))


@pytest.mark.requirement("S2-11.7-run")
async def test_a_run_leaves_a_marker_at_each_step_and_none_at_each_chunk(database: Database):
    live = {"text": "I look. " * 50, "chunk_chars": 5, "tool_calls": [LOOK, FIND]}
    script = ({"tool_calls": [LOOK]}, live, {"text": "seen " * 50, "chunk_chars": 5})
    async with open_scripted_runs(database, *script) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "completed")
        events = {event.seq: event for event in await log_of(runs)}
    found = await markers(database)
    assert [m.kind for m in found] == [
        "llm_complete", "tool_start", "tool_complete", "step_complete",
        "llm_complete", "tool_start", "tool_start", "tool_complete", "tool_complete",
        "step_complete", "llm_complete", "step_complete",
    ]  # fmt: skip
    assert [m.position for m in found] == list(range(1, 13))
    for marker in found:
        event = events[marker.state["seq"]]
        assert (marker.run_id, marker.message_id) == (run.run_id, run.message_id)
        if marker.kind == "tool_start":
            assert isinstance(event, ToolCallEvent)
            assert marker.state["tool_call_id"] == event.tool_call_id
        if marker.kind == "tool_complete":
            assert isinstance(event, ToolResultEvent)
            assert marker.state["status"] == "success"
    assert await markers(database, after=3, limit=2) == found[3:5]
    assert await markers(database, run_id="another") == []


async def test_a_marker_points_to_a_state_that_the_engine_has(database: Database):
    async with open_scripted_runs(database, {"tool_calls": [LOOK]}, {"text": "seen"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "completed")
        config: Any = {"configurable": {"thread_id": run.run_id, "checkpoint_ns": ""}}
        kept = {t.config.get("configurable", {})["checkpoint_id"] async for t in runs.checkpoints.alist(config)}  # fmt: skip
    pointed = [m.checkpoint_id for m in await markers(database)]
    assert None not in pointed
    assert set(pointed) <= kept
    assert pointed == sorted(pointed, key=str)


async def test_a_waiting_run_says_where_it_stands(database: Database):
    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}
    async with open_scripted_runs(database, {"tool_calls": [write]}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        stands = await database.read(lambda c: last_marker(c, TENANT, run.run_id))
        assert stands is not None
        assert (stands.kind, stands.position) == ("llm_complete", 1)
        await runs.service.cancel(PERSON, run.run_id)
        await wait_for_status(runs, run, "cancelled")


@pytest.mark.requirement("S2-13-execution_checkpoints")
async def test_markers_go_with_their_session_and_with_what_they_point_to(database: Database):
    async with open_scripted_runs(database, {"text": "one"}) as runs:
        for session_id in ("s", "other", "third"):
            await wait_for_status(
                runs, await send_message(runs, session_id=session_id), "completed"
            )
        await database.write(lambda c: remove_whole(c, TENANT, "s"))
        assert await markers(database, "s") == []
        assert await markers(database, "other") != []
        assert await forget_checkpoints(database, runs.checkpoints, now()) == 2
    count = select(func.count()).select_from(execution_checkpoints)
    assert await database.read(lambda c: c.execute(count).scalar_one()) == 0


@pytest.mark.requirement("S2-11.7-checkpoints")
@pytest.mark.parametrize(
    ("events", "kinds"),
    [
        ([WorkPlanEvent(plan_id="p", total_steps=2)], ["work_plan_created"]),
        ([StepEndEvent(step_number=2)], ["step_complete"]),
        # What a model turn used; the turn itself is marked by its words or its calls.
        ([StepFinishEvent(tokens={"input": 1})], []),
        ([ThoughtEvent(is_final=True), TextEvent(is_final=True)], ["llm_complete"]),
        ([ToolCallEvent(), ToolCallEvent()], ["llm_complete", "tool_start", "tool_start"]),
        ([TextEvent(is_final=True), DoneEvent(reason="completed")], ["llm_complete", "step_complete"]),
        ([TextEvent(is_final=True), DoneEvent(reason="error")], ["llm_complete"]),
        ([DoneEvent(reason="completed")], []),
    ],
)  # fmt: skip
def test_an_event_means_its_kind(events: list[Event], kinds: list[str]):
    telling = [event for event in events if may_mark(event)]
    assert [step.kind for step in steps_in(telling, NOTHING, "c1")] == kinds


def test_a_turn_without_words_shows_in_a_call_from_a_newer_state():
    finished = RunPosition("tool_complete", "c1")
    call = [ToolCallEvent()]
    assert [s.kind for s in steps_in(call, finished, "c1")] == ["tool_start"]
    assert [s.kind for s in steps_in(call, finished, "c2")] == [
        "step_complete", "llm_complete", "tool_start",
    ]  # fmt: skip


@given(st.lists(st.sampled_from([TextEvent(content="x"), ThoughtEvent(content="x")])))
def test_pieces_of_a_text_mean_nothing(pieces: list[Event]):
    assert not any(may_mark(piece) for piece in pieces)
