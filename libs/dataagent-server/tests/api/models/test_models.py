"""The models of S0 have its fields (property 33), and refuse what cannot be stored."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from dataagent_server.api.models import (
    ChatRequest,
    ChatResponse,
    ErrorResponse,
    SessionInfo,
    WebSocketMessage,
)

MOMENT = "2026-01-02T03:04:05.678901Z"
# Of each model: the fields S0 requires, with a value, and those that may be left out.
MODELS: dict[type[BaseModel], tuple[dict[str, Any], set[str]]] = {
    ChatRequest: ({"message": "hello"}, {"session_id", "assistant_id"}),
    ChatResponse: ({"session_id": "s", "events": [{"event_type": "done"}]}, set()),
    SessionInfo: (
        {
            "session_id": "s",
            "user_id": "u",
            "assistant_id": "a",
            "created_at": MOMENT,
            "last_active": MOMENT,
        },
        set(),
    ),
    ErrorResponse: ({"error_code": "NOT_FOUND", "message": "gone"}, {"details"}),
    WebSocketMessage: ({"type": "chat", "payload": {"message": "hello"}}, set()),
}


@pytest.mark.requirement("S0-33")
@given(model=st.sampled_from(list(MODELS)), data=st.data())
def test_s0_33_every_model_has_the_fields_of_the_document(
    model: type[BaseModel], data: st.DataObject
):
    required, optional = MODELS[model]
    assert set(required) | optional <= set(model.model_fields)
    kept = data.draw(st.sets(st.sampled_from(sorted(required))))
    values = {name: required[name] for name in kept}
    if kept == set(required):
        made = model.model_validate(values)
        assert model.model_validate_json(made.model_dump_json()) == made
    else:
        with pytest.raises(ValidationError):
            model.model_validate(values)


@pytest.mark.parametrize("message", ["", "a\x00b", "x" * 400_001, "\ud800", None, 3])
def test_a_message_that_cannot_be_one_is_refused(message: object):
    with pytest.raises(ValidationError):
        ChatRequest.model_validate({"message": message})


@pytest.mark.parametrize("session_id", ["", "../x", "a b", ".hidden", "x" * 65, "a\n"])
def test_an_id_that_cannot_be_one_is_refused(session_id: str):
    with pytest.raises(ValidationError):
        ChatRequest.model_validate({"message": "x", "session_id": session_id})


@pytest.mark.parametrize("frame", [{"type": "shout", "payload": {}}, {"type": "chat"}, {}])
def test_a_frame_that_cannot_be_one_is_refused(frame: dict[str, Any]):
    with pytest.raises(ValidationError):
        WebSocketMessage.model_validate(frame)
