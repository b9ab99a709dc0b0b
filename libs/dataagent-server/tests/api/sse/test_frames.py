"""The text of an event stream, as the specification of server-sent events reads it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import StorageError, ValidationError
from dataagent_core.events import Event
from dataagent_core.events.sse import render_sse
from dataagent_core.testing.strategies import events
from dataagent_server.api.sse.frames import STILL_HERE, error_frame, event_frame, last_event_id
from dataagent_server.sessions.live.event_line import EventLine


def lines_of(frame: str) -> dict[str, str]:
    assert frame.endswith("\n\n")
    assert "\r" not in frame
    lines = frame[:-2].split("\n")
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.requirement("S2-12.2-frame")
@given(event=events(), seq=st.integers(1, 2**63 - 1))
def test_every_event_is_three_lines_and_an_empty_one(event: Event, seq: int):
    told = lines_of(event_frame(EventLine(seq, event.to_dict())))
    shown = render_sse(event)
    assert set(told) == {"id", "event", "data"}
    assert (told["id"], told["event"]) == (str(seq), shown["type"])
    assert json.loads(told["data"]) == json.loads(json.dumps(shown))


def test_a_comment_is_no_event():
    assert STILL_HERE.startswith(":")
    assert STILL_HERE.endswith("\n\n")


def test_an_error_of_the_stream_has_no_number():
    told = lines_of(error_frame(StorageError("/var/lib/secret.db"), "s", ""))
    assert set(told) == {"event", "data"}
    data = json.loads(told["data"])
    assert (data["type"], data["data"]["code"], data["conversation_id"]) == (
        "error",
        "CHECKPOINT_ERROR",
        "s",
    )
    assert "secret" not in told["data"]


@given(number=st.integers(0, 2**63 - 1))
def test_a_number_comes_back_as_it_was(number: int):
    assert last_event_id(f" {number} ") == number


@pytest.mark.parametrize("text", ["", "-1", "1.0", "x", "٣", "9" * 30, str(2**63)])
def test_what_is_no_number_is_refused(text: str):
    with pytest.raises(ValidationError):
        last_event_id(text)
