"""S2's rendering: the same log under S2's names, with S2's fields."""

import json
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from hypothesis import given

from dataagent_core.events import (
    EVENT_TYPES,
    DoneEvent,
    ErrorEvent,
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    RetryEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
    WarningEvent,
    WorkPlanEvent,
    from_dict,
    render_sse,
)
from dataagent_core.events.agents import SkillPhase, SubAgentPhase
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.testing.strategies import event_of, events

# PROTOCOL.md, column "S2 SSE type"; what depends on a field follows below.
S2_TYPES = {
    "start": "start",
    "resumed": "resumed",
    "text": "text_delta",
    "thought": "thought_delta",
    "tool_call": "act",
    "tool_progress": "tool_progress",
    "tool_result": "observe",
    "file_operation": "file_operation",
    "hitl_request": "permission_asked",
    "hitl_answer": "permission_replied",
    "todo_update": "todo_update",
    "work_plan": "work_plan",
    "step_start": "step_start",
    "step_end": "step_end",
    "step_finish": "step_finish",
    "skill": "skill_matched",
    "subagent": "subagent_assigned",
    "pattern_match": "pattern_match",
    "memory_recalled": "memory_recalled",
    "memory_changed": "memory_changed",
    "context_compressed": "context_compressed",
    "cost_update": "cost_update",
    "mode_changed": "mode_changed",
    "feedback": "feedback",
    "retry": "warning",
    "warning": "warning",
    "error": "error",
    "done": "complete",
}
S2_REQUEST_TYPES = {
    "approval": ("permission_asked", "permission_replied"),
    "clarification": ("clarification_asked", "clarification_answered"),
    "decision": ("decision_asked", "decision_answered"),
    "doom_loop": ("doom_loop_detected", "doom_loop_intervened"),
    "budget": ("human_asked", "human_answered"),
    "elicitation": ("human_asked", "human_answered"),
    "oauth": ("human_asked", "human_answered"),
}


@pytest.mark.requirement("S2-12.2")
@pytest.mark.requirement("F2-sse-rendering")
@given(events())
def test_every_event_renders_as_json(event: Event):
    rendered = render_sse(event)
    assert json.loads(json.dumps(rendered, allow_nan=False)) == rendered
    assert set(rendered) == {"type", "data", "timestamp", "conversation_id", "event_id"}
    assert (rendered["conversation_id"], rendered["event_id"]) == (event.session_id, event.event_id)


@pytest.mark.requirement("F2-sse-rendering")
@given(events())
def test_only_done_renders_as_complete(event: Event):
    assert (render_sse(event)["type"] == "complete") == isinstance(event, DoneEvent)


@given(events())
def test_no_own_field_of_an_event_is_lost(event: Event):
    base = {"event_type", "timestamp", "event_id", "session_id", "run_id", "seq"}
    own = {name: value for name, value in event.to_dict().items() if name not in base}
    data = render_sse(event)["data"]
    assert {name: data.get(name) for name in own} == own


@pytest.mark.requirement("S2-5.3-event-types")
@pytest.mark.requirement("F2-sse-rendering")
def test_the_types_are_those_of_the_protocol():
    rendered = {name: render_sse(from_dict({"event_type": name}))["type"] for name in EVENT_TYPES}
    assert rendered == S2_TYPES


def test_a_thought_is_a_delta_until_it_is_final():
    assert render_sse(ThoughtEvent(is_final=False))["type"] == "thought_delta"
    assert render_sse(ThoughtEvent(is_final=True))["type"] == "thought"


@pytest.mark.requirement("S2-6.4.1")
@pytest.mark.parametrize("kind", get_args(HumanRequestKind))
def test_a_request_and_its_answer_render_by_their_kind(kind: HumanRequestKind):
    asked = render_sse(HITLRequestEvent(kind=kind))["type"]
    answered = render_sse(HITLAnswerEvent(kind=kind))["type"]
    assert (asked, answered) == S2_REQUEST_TYPES[kind]


@pytest.mark.requirement("S2-8.3-events")
@pytest.mark.requirement("F16-B6-skill-names")
def test_a_skill_renders_under_the_names_of_s2():
    phases: tuple[SkillPhase, ...] = get_args(SkillPhase)
    events = [from_dict({"event_type": "skill", "phase": phase}) for phase in phases]
    assert [render_sse(event)["type"] for event in events] == [
        "skill_matched",
        "skill_activated",
        "skill_execution_start",
        "skill_tool_start",
        "skill_tool_result",
        "skill_execution_complete",
        "skill_fallback",
    ]


@pytest.mark.parametrize("phase", get_args(SubAgentPhase))
def test_a_sub_agent_renders_by_its_phase(phase: SubAgentPhase):
    rendered = render_sse(from_dict({"event_type": "subagent", "phase": phase}))
    assert rendered["type"] == f"subagent_{phase}"


@given(events())
def test_the_time_is_the_same_instant_in_iso_form(event: Event):
    shown = render_sse(event)["timestamp"]
    assert shown.endswith("Z")
    instant = datetime.fromisoformat(shown)
    assert instant.tzinfo == UTC
    assert abs(instant.timestamp() - event.timestamp) <= 1e-6


@pytest.mark.requirement("S2-12.2-time")
def test_a_known_moment_reads_as_in_s2():
    assert render_sse(TextEvent(timestamp=1768471200.0))["timestamp"] == "2026-01-15T10:00:00Z"


S2_DATA: list[tuple[Event, dict[str, Any]]] = [
    (
        WorkPlanEvent(plan_id="p", steps=[{"step_number": 0}], total_steps=1),
        {"plan_id": "p", "steps": [{"step_number": 0}], "total_steps": 1},
    ),
    (StepStartEvent(step_number=2, description="d"), {"step_number": 2, "description": "d"}),
    (
        StepEndEvent(step_number=2, success=False, duration_ms=7),
        {"step_number": 2, "success": False, "duration_ms": 7},
    ),
    (ThoughtEvent(content="t", level="work"), {"thought": "t", "thought_level": "work"}),
    (
        ToolCallEvent(tool_name="ls", tool_args={"path": "."}),
        {"tool_name": "ls", "tool_input": {"path": "."}},
    ),
    (ToolResultEvent(tool_name="ls", result=["a"]), {"tool_name": "ls", "result": ["a"]}),
    (DoneEvent(content="c", format="markdown"), {"content": "c", "format": "markdown"}),
    (ErrorEvent(error="e", code="MODEL_ERROR"), {"message": "e", "code": "MODEL_ERROR"}),
    (WarningEvent(code="W", message="m"), {"code": "W", "message": "m"}),
    (RetryEvent(delay_s=1.5, reason="r"), {"message": "Trying again in 1.5 s: r"}),
    (
        HITLRequestEvent(
            kind="clarification",
            interrupt_id="i",
            question="q?",
            options=[{"label": "a"}],
            required=True,
            timeout_s=60,
        ),
        {
            "question_id": "i",
            "question": "q?",
            "options": [{"label": "a"}],
            "required": True,
            "timeout": 60,
        },
    ),
    (
        HITLRequestEvent(
            kind="decision", interrupt_id="i", step_number=2, context="c", timeout_s=300
        ),
        {"decision_id": "i", "step_number": 2, "context": "c", "timeout": 300},
    ),
    (
        HITLAnswerEvent(kind="clarification", interrupt_id="i", decision={"answer": "a"}),
        {"question_id": "i", "answer": "a"},
    ),
    (
        HITLAnswerEvent(kind="decision", interrupt_id="i", decision={"answer": "a"}),
        {"decision_id": "i", "answer": "a"},
    ),
]


@pytest.mark.requirement("S2-12.1")
@pytest.mark.requirement("S2-6.4.2-events")
@pytest.mark.requirement("F2-sse-rendering")
@pytest.mark.parametrize(("event", "expected"), S2_DATA)
def test_the_data_has_the_fields_s2_names(event: Event, expected: dict[str, Any]):
    data = render_sse(event)["data"]
    assert {name: data.get(name) for name in expected} == expected


@given(event_of(HITLRequestEvent))
def test_every_request_carries_its_id_and_its_time_out(event: HITLRequestEvent):
    names = {"clarification": "question_id", "decision": "decision_id"}
    data = render_sse(event)["data"]
    assert data[names.get(event.kind, "request_id")] == event.interrupt_id
    assert data["timeout"] == event.timeout_s
