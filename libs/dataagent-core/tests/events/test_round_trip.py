"""S0 properties 1 to 6: an event is what it says, on its way out and back."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from dataagent_core.events import (
    EVENT_CLASSES,
    Event,
    ExecutionEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
    from_dict,
    from_json,
    to_json,
)
from dataagent_core.events.base import LOG_FIELDS
from dataagent_core.testing.strategies import event_of, events, json_values, text


@pytest.mark.requirement("S0-1")
@given(events())
def test_s0_1_an_event_read_back_from_its_dict_equals_the_first(event: Event):
    assert from_dict(event.to_dict()) == event


@pytest.mark.requirement("S0-1")
@pytest.mark.parametrize("cls", EVENT_CLASSES)
@given(data=st.data())
def test_s0_1_every_class_is_read_back_as_itself(cls: type[ExecutionEvent], data: st.DataObject):
    event = data.draw(event_of(cls))
    again = from_dict(event.to_dict())
    assert type(again) is cls
    assert again == event


@given(events())
def test_an_event_read_back_from_its_line_of_json_equals_the_first(event: Event):
    assert from_json(to_json(event)) == event


@given(events())
def test_a_line_of_json_is_one_line_that_any_file_can_hold(event: Event):
    assert b"\n" not in to_json(event).encode()


def test_text_that_can_be_encoded_stays_readable_in_json():
    assert "数据 🎉" in to_json(TextEvent(content="数据 🎉"))


@pytest.mark.requirement("S0-2")
@given(events())
def test_s0_2_a_serialised_event_has_its_type_and_its_time(event: Event):
    data = event.to_dict()
    assert data["event_type"] == event.event_type
    assert data["timestamp"] == event.timestamp
    assert math.isfinite(data["timestamp"])


@given(events())
def test_the_logs_fields_appear_once_the_log_has_set_them(event: Event):
    assert LOG_FIELDS[-1] == "seq"
    present = [name for name in LOG_FIELDS if name in event.to_dict()]
    assert present == ([] if event.seq is None else list(LOG_FIELDS))


@pytest.mark.requirement("S0-3")
@given(events())
def test_s0_3_a_serialised_event_is_valid_json(event: Event):
    written = json.dumps(event.to_dict(), allow_nan=False)
    assert json.loads(written) == event.to_dict()


@pytest.mark.requirement("S0-4")
@given(content=text(), is_final=st.booleans())
def test_s0_4_a_text_event_has_its_content_and_whether_it_is_final(content: str, is_final: bool):
    data = TextEvent(content=content, is_final=is_final).to_dict()
    assert (data["event_type"], data["content"], data["is_final"]) == ("text", content, is_final)


@pytest.mark.requirement("S0-5")
@given(name=text(), args=st.dictionaries(text(), json_values(), max_size=3), call_id=text())
def test_s0_5_a_tool_call_event_has_its_name_its_arguments_and_its_id(
    name: str, args: dict[str, JsonValue], call_id: str
):
    data = ToolCallEvent(tool_name=name, tool_args=args, tool_call_id=call_id).to_dict()
    assert data["event_type"] == "tool_call"
    assert (data["tool_name"], data["tool_args"], data["tool_call_id"]) == (name, args, call_id)


@pytest.mark.requirement("S0-6")
@given(call_id=text(), result=json_values(), status=st.sampled_from(["success", "error"]))
def test_s0_6_a_tool_result_event_has_its_id_its_result_and_its_status(
    call_id: str, result: JsonValue, status: str
):
    data = ToolResultEvent(tool_call_id=call_id, result=result, status=status).to_dict()
    assert data["event_type"] == "tool_result"
    assert (data["tool_call_id"], data["result"], data["status"]) == (call_id, result, status)
