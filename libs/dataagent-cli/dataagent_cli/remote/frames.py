"""What comes over the WebSocket, read as an event of ours. Pure.

An event of another version that cannot be read keeps its number and its place: it is shown as a
warning instead of being lost, and what comes after it has no gap.
"""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError
from dataagent_core.events import WarningEvent, from_dict

if TYPE_CHECKING:
    from dataagent_core.events import Event

_NAME_CHARS_MAX = 60


@dataclass(frozen=True, slots=True)
class EventFrame:
    """An event of the session's log."""

    seq: int
    event: "Event"


@dataclass(frozen=True, slots=True)
class RefusalFrame:
    """Why the server will send nothing more."""

    code: str
    text: str


class NotOursError(Exception):
    """No server of ours writes this; never shown to anybody."""


def decode_frame(
    text: str | bytes, session_id: str, say: Messages
) -> EventFrame | RefusalFrame | None:
    """Read a frame; nothing for one that is no news."""
    try:
        frame = json.loads(text)
    except ValueError as error:
        raise NotOursError from error
    if not isinstance(frame, dict):
        raise NotOursError
    fields = cast("dict[str, Any]", frame)
    kind, data, seq = fields.get("event_type"), fields.get("data"), fields.get("seq")
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise NotOursError
    inside = cast("dict[str, Any]", data)
    if seq is None:
        return _unnumbered(kind, inside)
    if type(seq) is not int or seq < 1:
        raise NotOursError
    known = {
        "event_type": kind,
        "timestamp": fields.get("timestamp"),
        "session_id": session_id,
        "run_id": fields.get("run_id"),
        "seq": seq,
    }
    return EventFrame(seq, _event({**inside, **known}, seq, say))


def _unnumbered(kind: str, data: dict[str, Any]) -> RefusalFrame | None:
    if kind != "error":
        return None
    return RefusalFrame(str(data.get("code") or ""), str(data.get("error") or ""))


def _event(data: dict[str, Any], seq: int, say: Messages) -> "Event":
    try:
        return from_dict(data)
    except ValidationError:
        name = str(data["event_type"])[:_NAME_CHARS_MAX]
        return WarningEvent(
            code="unknown_event", message=say("remote_unknown_event", name=name), seq=seq
        )
