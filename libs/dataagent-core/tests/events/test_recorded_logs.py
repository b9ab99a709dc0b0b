"""The logs that the console is tested with too are what the codec reads and writes."""

import json
from collections import defaultdict

import pytest

from dataagent_core.events import (
    EVENT_TYPES,
    Event,
    RunResumedEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
    WorkPlanEvent,
    from_json,
    to_json,
)
from dataagent_core.planning import PlanStep, StepStatus, fold_plan
from tests.recorded_logs.reading import events_of, lines_of, names, told, turns_file

# What no run writes, or not yet, and what does or will.
NOT_WRITTEN = {
    "pattern_match": "patterns",
    "memory_recalled": "memory",
    "memory_changed": "memory, and people",
    "feedback": "people, about runs that are over",
}


@pytest.mark.parametrize("name", names())
def test_every_line_is_read_and_written_back_as_it_is(name: str):
    for line in lines_of(name):
        assert to_json(from_json(line)) == line


@pytest.mark.parametrize("name", names())
def test_a_recorded_log_is_a_whole_log_of_one_session(name: str):
    events = events_of(name)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.session_id for event in events}) == 1
    assert len({event.event_id for event in events}) == len(events)
    assert events[-1].event_type == "done"


def test_together_they_hold_every_event_that_runs_write():
    held = {event.event_type for name in names() for event in events_of(name)}
    assert held == set(EVENT_TYPES) - set(NOT_WRITTEN)


@pytest.mark.parametrize("name", names())
def test_the_turns_beside_a_log_are_what_the_export_tells(name: str):
    told_now = json.loads(json.dumps(told(events_of(name))))
    assert json.loads(turns_file(name).read_text("utf-8")) == told_now


@pytest.mark.parametrize("name", names())
def test_a_call_is_told_once_also_when_a_crash_made_it_begin_again(name: str):
    events = events_of(name)
    answered = {e.tool_call_id for e in events if isinstance(e, ToolResultEvent)}
    called = [step for turn in told(events) for step in turn["steps"] if step["kind"] == "Called"]
    assert len(called) == len(answered)
    assert {step["status"] for step in called} <= {"success", "error"}


@pytest.mark.parametrize("name", names())
def test_nothing_is_void_in_part(name: str):
    """A reader may take a text back whole: `discard_after` never falls between its pieces."""
    events = events_of(name)
    for event in events:
        if isinstance(event, RunResumedEvent):
            assert not _cut_through(events, event)


@pytest.mark.requirement("F21-2-base")
def test_plans_number_their_steps_from_1_and_no_number_is_given_twice():
    numbers: dict[str, set[int]] = defaultdict(set)
    for event in (event for name in names() for event in events_of(name)):
        if isinstance(event, WorkPlanEvent):
            steps = [PlanStep.from_dict(step) for step in event.steps]
            assert event.total_steps == len(steps)
            assert len({step.step_number for step in steps}) == len(steps)
            numbers[event.plan_id] |= {step.step_number for step in steps}
        elif isinstance(event, StepStartEvent | StepEndEvent):
            assert event.step_number in numbers[event.plan_id]
            if isinstance(event, StepEndEvent):
                assert event.success == (event.status == "completed")
    held = [sorted(plan) for plan in numbers.values() if plan]
    assert held
    assert all(plan == list(range(1, len(plan) + 1)) for plan in held)


def test_they_hold_each_status_of_a_step():
    events = [event for name in names() for event in events_of(name)]
    plans = {event.plan_id for event in events if isinstance(event, WorkPlanEvent)}
    ended = [plan for plan_id in plans if (plan := fold_plan(events, plan_id))]
    begun = [plan for at in range(len(events)) if (plan := fold_plan(events[:at]))]
    held = {step.status for plan in (*ended, *begun) for step in plan.steps}
    assert held == set(StepStatus)


def _cut_through(events: list[Event], resumed: RunResumedEvent) -> list[Event]:
    """Give the pieces before `discard_after` that belong to a text going on behind it."""
    open_pieces: dict[str, list[Event]] = defaultdict(list)
    for event in events[: (resumed.seq or 1) - 1]:
        if event.run_id != resumed.run_id:
            continue
        if isinstance(event, TextEvent | ThoughtEvent):
            open_pieces[event.event_type].append(event)
            if event.is_final:
                open_pieces[event.event_type] = []
        elif isinstance(event, ToolCallEvent | RunResumedEvent):
            open_pieces.clear()
    pieces = [piece for kind in open_pieces.values() for piece in kind]
    if all((piece.seq or 0) <= resumed.discard_after for piece in pieces):
        return []
    return [piece for piece in pieces if (piece.seq or 0) <= resumed.discard_after]
