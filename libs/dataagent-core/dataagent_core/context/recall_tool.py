"""The tool `recall`: any earlier event of this session in full, one page at a time.

`event_text` renders an event for a model: first what it is, then its content.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from langchain.tools import ToolRuntime

from dataagent_core.config.limits.context import RECALL_CHARS_MAX, RECALL_WINDOW_SHARE
from dataagent_core.events import (
    Event,
    RunStartedEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.events.base import LOG_FIELDS
from dataagent_core.runs import run_context
from dataagent_core.session import EventLog, MessageStore
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.definition.tool_origin import BUILT_IN, make_origin_metadata

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


_CHARS_PER_TOKEN = 2
_PART_CHARS_MIN = 200
Runtime = ToolRuntime[Any, Any]


@dataclass(frozen=True, slots=True, repr=False)
class RecallServices:
    """The log that is read, and the size of the window that an event has to fit."""

    log: EventLog
    messages: MessageStore
    window_tokens: int


@define_tool("pure", make_origin_metadata(BUILT_IN))
async def recall(
    services: RecallServices,
    seq: Annotated[int, "The number of the event."],
    runtime: Runtime,
    part: Annotated[int, "Which part of a long event, from 1."] = 1,
) -> str:
    """Read an earlier event of this conversation in full, by its number."""
    session_id = run_context(runtime).run.session_id
    found = await services.log.read(session_id, after=seq - 1, limit=1) if seq > 0 else []
    if not found or found[0].seq != seq:
        last = await services.log.last_seq(session_id)
        return f"There is no event {seq}. This conversation has the events 1 to {last}."
    event = found[0]
    message = None
    if isinstance(event, RunStartedEvent):
        message = await services.messages.get_message(session_id, event.message_id)
    text = event_text(event, message.content if message is not None else None)
    # What is shown at once fits a small part of the window.
    chars = int(services.window_tokens * RECALL_WINDOW_SHARE) * _CHARS_PER_TOKEN
    return _part(text, seq, part, max(min(chars, RECALL_CHARS_MAX), _PART_CHARS_MIN))


def _part(text: str, seq: int, part: int, part_chars: int) -> str:
    parts = max(-(-len(text) // part_chars), 1)
    if not 1 <= part <= parts:
        return f"Event {seq} has {parts} parts; there is no part {part}."
    shown = text[(part - 1) * part_chars : part * part_chars]
    if parts == 1:
        return shown
    more = f" recall({seq}, part={part + 1}) goes on." if part < parts else ""
    return f"{shown}\n(Part {part} of {parts} of event {seq}.{more})"
