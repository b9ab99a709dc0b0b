"""What goes over the wire: a client's message is understood or refused, never anything else."""

import json
import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import StorageError, ValidationError
from dataagent_core.testing.strategies import json_values
from dataagent_server.common.errors import PayloadTooLargeError
from dataagent_server.settings.limits import FRAME_BYTES_MAX, MESSAGE_BYTES_MAX
from dataagent_server.ws.chat_frames import (
    CancelFrame,
    ChatFrame,
    DecisionFrame,
    PingFrame,
    ResumeFrame,
    error_frame,
    parse,
    pong,
)

GOOD: list[tuple[Any, Any]] = [
    ({"type": "chat", "payload": {"message": "hi"}}, ChatFrame(message="hi")),
    (
        {
            "type": "hitl_decision",
            "payload": {"interrupt_id": "i", "decision": {"type": "approve"}},
        },
        DecisionFrame(interrupt_id="i", decision={"type": "approve"}),
    ),
    ({"type": "cancel", "payload": {}}, CancelFrame()),
    ({"type": "cancel", "payload": {"session_id": "s"}}, CancelFrame(session_id="s")),
    ({"type": "ping", "payload": {"extra": 1}}, PingFrame()),
    ({"type": "resume", "payload": {"after": 0}}, ResumeFrame(after=0)),
]
TYPES = ["chat", "hitl_decision", "cancel", "ping", "resume"]


@pytest.mark.parametrize(("message", "frame"), GOOD)
def test_every_kind_of_message_is_understood(message: Any, frame: Any):
    assert parse(json.dumps(message), None) == frame


@pytest.mark.requirement("S0-26")
@given(
    message=st.one_of(
        json_values(),
        st.dictionaries(st.text(), json_values()),
        st.fixed_dictionaries({"type": st.sampled_from(TYPES) | st.text()}),
        st.fixed_dictionaries({"payload": st.dictionaries(st.text(), json_values())}),
    ).filter(lambda value: not (isinstance(value, dict) and {"type", "payload"} <= set(value)))
)
def test_s0_26_a_message_without_type_and_payload_is_refused(message: Any):
    with pytest.raises(ValidationError) as refused:
        parse(json.dumps(message), None)
    told = json.loads(error_frame(refused.value, 1.0, ""))
    assert (told["event_type"], told["data"]["code"]) == ("error", "VALIDATION_ERROR")
    assert "seq" not in told


@pytest.mark.requirement("S0-26")
@given(
    type_=st.sampled_from(TYPES) | st.text(),
    payload=st.one_of(
        json_values(),
        st.dictionaries(
            st.sampled_from(["message", "interrupt_id", "decision", "after", "session_id"]),
            json_values(),
        ),
    ),
)
def test_s0_26_whatever_the_payload_is_it_is_understood_or_refused(type_: str, payload: Any):
    text = json.dumps({"type": type_, "payload": payload})
    with suppress(ValidationError):
        assert isinstance(
            parse(text, None), ChatFrame | DecisionFrame | CancelFrame | PingFrame | ResumeFrame
        )


@given(text=st.text(max_size=50))
def test_text_that_is_no_json_is_refused(text: str):
    with pytest.raises(ValidationError):
        parse("{" + text, None)


@pytest.mark.parametrize(
    "payload",
    [{}, {"after": -1}, {"after": "3"}, {"after": 1.0}, {"after": True}, {"after": 2**63}],
)
def test_a_place_that_is_no_number_of_an_event_is_refused(payload: Any):
    with pytest.raises(ValidationError):
        parse(json.dumps({"type": "resume", "payload": payload}), None)


def test_bytes_are_refused():
    with pytest.raises(ValidationError, match="binary"):
        parse(None, b'{"type": "ping", "payload": {}}')


@pytest.mark.parametrize("piece", ["x", "数", "\\u0000", "["])
def test_what_is_too_large_or_too_deep_is_refused(piece: str):
    text = '{"type": "chat", "payload": {"message": "' + piece * MESSAGE_BYTES_MAX + '"}}'
    with pytest.raises(PayloadTooLargeError):
        parse(text, None)
    with pytest.raises(ValidationError):
        parse("[" * 100_000, None)


@pytest.mark.parametrize("char", ["x", "数", "👋", "\x01"])
@pytest.mark.parametrize("escaped", [True, False])
def test_the_longest_prompt_fits_in_any_spelling(char: str, *, escaped: bool):
    message = {"type": "chat", "payload": {"message": char * PROMPT_CHARS_MAX}}
    text = json.dumps(message, ensure_ascii=escaped)
    assert len(text.encode()) < FRAME_BYTES_MAX
    assert parse(text, None) == ChatFrame(message=char * PROMPT_CHARS_MAX)


def test_a_fault_of_ours_tells_nothing_of_the_machine():
    told = json.loads(error_frame(StorageError("/var/lib/secret.db is locked"), 1.0, ""))
    assert "secret" not in told["data"]["error"]
    assert told["data"]["code"] == "CHECKPOINT_ERROR"
    assert told["data"]["recoverable"] is False


@given(timestamp=st.floats(allow_nan=False, allow_infinity=False))
def test_a_pong_has_the_form_of_every_frame(timestamp: float):
    told = json.loads(pong(timestamp))
    assert set(told) == {"event_type", "data", "timestamp"}
    assert math.isclose(told["timestamp"], timestamp)
