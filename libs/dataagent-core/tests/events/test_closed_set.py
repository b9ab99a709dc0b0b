"""The set of events is PROTOCOL.md's table, no more and no less."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.events import (
    EVENT_CLASSES,
    EVENT_TYPES,
    Event,
    ExecutionEvent,
    from_dict,
    from_json,
)
from dataagent_core.testing.strategies import events, text

# Class, event_type and fields as PROTOCOL.md lists them.
TABLE = {
    "RunStartedEvent": ("start", "message_id model assistant_id mode"),
    "RunResumedEvent": ("resumed", "attempt discard_after"),
    "TextEvent": ("text", "content is_final figures unsourced"),
    "ThoughtEvent": ("thought", "content level is_final"),
    "ToolCallEvent": ("tool_call", "tool_name tool_args tool_call_id subagent"),
    "ToolProgressEvent": ("tool_progress", "tool_call_id progress total message"),
    "ToolResultEvent": (
        "tool_result",
        "tool_call_id tool_name result status duration_ms receipt artifacts",
    ),
    "FileOperationEvent": ("file_operation", "operation file_path metrics diff status"),
    "HITLRequestEvent": (
        "hitl_request",
        """interrupt_id kind action_requests question question_type context options
        allow_multiple required step_number timeout_s""",
    ),
    "HITLAnswerEvent": ("hitl_answer", "interrupt_id kind decision by superseded"),
    "TodoUpdateEvent": ("todo_update", "todos"),
    "WorkPlanEvent": (
        "work_plan",
        """plan_id steps total_steps version status current_step_index stage round change by reason
        interaction_pattern_id""",
    ),
    "StepStartEvent": ("step_start", "step_number description plan_id agent"),
    "StepEndEvent": (
        "step_end",
        "step_number success duration_ms plan_id status result tokens cost currency",
    ),
    "StepFinishEvent": ("step_finish", "tokens cost currency"),
    "SkillEvent": ("skill", "phase name detail"),
    "SubAgentEvent": (
        "subagent",
        "phase name agent_id task parent_id mode confidence reason duration_ms tokens cost currency",
    ),
    "PatternEvent": ("pattern_match", "pattern_id similarity mode"),
    "MemoryRecalledEvent": ("memory_recalled", "tool memories"),
    "MemoryChangedEvent": (
        "memory_changed",
        "change memory_id memory_type content code reason closed by",
    ),
    "ContextCompressedEvent": (
        "context_compressed",
        """was_compressed compression_strategy original_message_count final_message_count
        estimated_tokens token_budget budget_utilization_pct summarized_message_count
        summary from_seq to_seq pins""",
    ),
    "CostUpdateEvent": ("cost_update", "tokens cost currency budgets"),
    "ModeChangedEvent": ("mode_changed", "mode by"),
    "FeedbackEvent": ("feedback", "rating correction target_run_id by"),
    "RetryEvent": ("retry", "attempt delay_s reason"),
    "WarningEvent": ("warning", "code message"),
    "ErrorEvent": ("error", "error code recoverable"),
    "DoneEvent": ("done", "token_usage cancelled reason content format"),
}


@pytest.mark.requirement("F2-events-closed-set")
def test_the_classes_and_types_are_those_of_the_protocol():
    types = dict(zip((cls.__name__ for cls in EVENT_CLASSES), EVENT_TYPES, strict=True))
    assert types == {name: event_type for name, (event_type, _) in TABLE.items()}
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES)


@pytest.mark.parametrize("cls", EVENT_CLASSES)
def test_the_fields_are_those_of_the_protocol(cls: type[ExecutionEvent]):
    event_type, names = TABLE[cls.__name__]
    data = cls(event_type=event_type).to_dict()
    assert set(data) == {"event_type", "timestamp", *names.split()}


def test_no_subclass_stands_outside_the_set():
    assert {cls.__name__ for cls in ExecutionEvent.__subclasses__()} == set(TABLE)


@pytest.mark.requirement("F2-events-closed-set")
@given(events(), text())
def test_an_unknown_event_type_is_refused(event: Event, event_type: str):
    assume(event_type not in EVENT_TYPES)
    with pytest.raises(ValidationError):
        from_dict({**event.to_dict(), "event_type": event_type})


@given(events())
def test_an_event_without_its_type_is_refused(event: Event):
    data = event.to_dict()
    del data["event_type"]
    with pytest.raises(ValidationError):
        from_dict(data)


# What no field of an event may hold but one that may hold any JSON, and then not this object.
MISFITS = [b"bytes", object(), {1, 2}]


@pytest.mark.requirement("F2-events-closed-set")
@given(event=events(), data=st.data(), misfit=st.sampled_from(MISFITS))
def test_a_value_that_is_not_json_is_refused_in_every_field(
    event: Event, data: st.DataObject, misfit: Any
):
    name = data.draw(st.sampled_from(sorted(event.to_dict())))
    with pytest.raises(ValidationError):
        from_dict({**event.to_dict(), name: misfit})


@pytest.mark.parametrize(
    "wrong",
    [
        {"event_type": "text", "content": 5},
        {"event_type": "text", "content": None},
        {"event_type": "text", "is_final": "yes"},
        {"event_type": "text", "is_final": 1},
        {"event_type": "text", "seq": "5"},
        {"event_type": "text", "seq": True},
        {"event_type": "text", "timestamp": "1.5"},
        {"event_type": "text", "timestamp": float("nan")},
        {"event_type": "tool_call", "tool_args": [["a", 1]]},
        {"event_type": "thought", "level": "dream"},
        {"event_type": "done", "token_usage": {"input": "7"}},
        {"event_type": "hitl_request", "kind": "other"},
    ],
)
def test_a_wrongly_typed_field_is_refused_and_never_converted(wrong: dict[str, Any]):
    with pytest.raises(ValidationError):
        from_dict(wrong)


@pytest.mark.parametrize("line", ["", "{", "null", "[]", '"text"', "{}", "5"])
def test_a_line_that_is_no_event_is_refused(line: str):
    with pytest.raises(ValidationError):
        from_json(line)
