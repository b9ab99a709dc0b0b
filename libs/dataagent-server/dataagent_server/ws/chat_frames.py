"""What a client sends and what it is sent, apart from events (`sessions/live/event_line.py`). Pure.

client   {"type": chat | hitl_decision | cancel | ping | resume, "payload": {...}}
server   {"event_type": pong | error, "data": {...}, "timestamp"}          without a number
"""

from typing import Annotated, Any, assert_never

import orjson
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic import ValidationError as PydanticError

from dataagent_core.errors import DataAgentError, ValidationError
from dataagent_core.events.system import Mode
from dataagent_core.planning.plan_terms import MessagePlanning
from dataagent_server.api.limits import SEQ_MAX
from dataagent_server.api.models import WebSocketMessage
from dataagent_server.api.models.chat import MessageContext
from dataagent_server.api.models.fields import ChosenId, ModelName, Prompt
from dataagent_server.common.error_table import PUBLIC_MESSAGES
from dataagent_server.common.errors import PayloadTooLargeError
from dataagent_server.common.host_paths import hide_host_paths
from dataagent_server.sessions.live.event_line import json_line, read_json
from dataagent_server.settings.limits import MESSAGE_BYTES_MAX


class _Payload(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)


class ChatFrame(_Payload):
    """A message to the agent."""

    message: Prompt
    assistant_id: ChosenId | None = None
    model: ModelName | None = None
    mode: Mode | None = None
    context: MessageContext | None = None
    planning: MessagePlanning | None = None


class DecisionFrame(_Payload):
    """The answer to a request of the agent."""

    interrupt_id: Annotated[str, StringConstraints(min_length=1, max_length=255)]
    decision: dict[str, Any]


class CancelFrame(_Payload):
    """Cancels the active run; S0's clients name the session once more."""

    session_id: str | None = None


class PingFrame(_Payload):
    """Asks whether the server is there."""


class ResumeFrame(_Payload):
    """Reads again, from after a number."""

    after: int = Field(ge=0, le=SEQ_MAX)


Frame = ChatFrame | DecisionFrame | CancelFrame | PingFrame | ResumeFrame


def parse(text: str | None, data: bytes | None) -> Frame:
    """Parse a client's message, or raise with what is wrong with it."""
    if text is None:
        raise ValidationError(
            f"a binary message of {len(data or b'')} bytes came; send JSON as text."
        )
    # Counted in characters first, so that a text that is too long is not encoded.
    if len(text) > MESSAGE_BYTES_MAX or len(text.encode()) > MESSAGE_BYTES_MAX:
        raise PayloadTooLargeError(
            f"the message is larger than {MESSAGE_BYTES_MAX:,} bytes.",
            {"max_bytes": MESSAGE_BYTES_MAX},
        )
    try:
        message = WebSocketMessage.model_validate(read_json(text))
        return _parse_payload(message)
    except orjson.JSONDecodeError as error:
        raise ValidationError(f"the message is not JSON: {error}.") from None
    except PydanticError as error:
        raise ValidationError(f"the message is not valid: {_describe_problem(error)}.") from None


def pong(timestamp: float) -> str:
    """Answer a ping."""
    return json_line({"event_type": "pong", "data": {}, "timestamp": timestamp})


def error_frame(error: DataAgentError, timestamp: float, home: str) -> str:
    """Write an error that belongs to no run; details of this machine stay in the log."""
    data = {
        "error": PUBLIC_MESSAGES.get(error.code) or hide_host_paths(str(error), home) or error.code,
        "code": error.code,
        "recoverable": error.recoverable,
    }
    return json_line({"event_type": "error", "data": data, "timestamp": timestamp})


def _parse_payload(message: WebSocketMessage) -> Frame:
    match message.type:
        case "chat":
            return ChatFrame.model_validate(message.payload)
        case "hitl_decision":
            return DecisionFrame.model_validate(message.payload)
        case "cancel":
            return CancelFrame.model_validate(message.payload)
        case "ping":
            return PingFrame.model_validate(message.payload)
        case "resume":
            return ResumeFrame.model_validate(message.payload)
        case _:
            assert_never(message.type)


def _describe_problem(error: PydanticError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "it"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"
