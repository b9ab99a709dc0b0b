"""An event as a model reads it: what it is, then what it says."""

import json
from datetime import UTC, datetime

from dataagent_core.events import (
    Event,
    RunStartedEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.events.base import LOG_FIELDS

_HIDDEN = {*LOG_FIELDS, "event_type", "timestamp"}


def event_text(event: Event, said: str | None) -> str:
    """Write an event out; `said` is the person's message that a run began with."""
    return f"{_heading(event)}\n{_body(event, said)}"


def _heading(event: Event) -> str:
    when = datetime.fromtimestamp(event.timestamp, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"Event {event.seq}, {event.event_type}, {when}:"


def _body(event: Event, said: str | None) -> str:
    match event:
        case RunStartedEvent() if said is not None:
            return f"The person said:\n{said}"
        case TextEvent() | ThoughtEvent():
            return event.content
        case ToolCallEvent():
            return f"{event.tool_name}({_json(event.tool_args)})"
        case ToolResultEvent():
            told = event.result if isinstance(event.result, str) else _json(event.result)
            return f"{event.tool_name} ({event.status}):\n{told}"
        case _:
            fields = {k: v for k, v in event.to_dict().items() if k not in _HIDDEN}
            return _json(fields)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
