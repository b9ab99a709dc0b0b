"""One event as a reader gets it: its number and its JSON, from the log or from the buffer."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from dataagent_core.events import Event, from_dict


@dataclass(frozen=True)
class EventLine:
    """A numbered event. What it is rendered to is kept, for several readers may want it."""

    seq: int
    data: dict[str, Any]

    @cached_property
    def event(self) -> Event:
        """The event itself."""
        return from_dict(self.data)

    @cached_property
    def frame(self) -> str:
        """The event as S0's WebSocket frame."""
        data = self.data
        fields = {name: value for name, value in data.items() if name not in _OUTSIDE}
        frame = {
            "event_type": data["event_type"],
            "data": fields,
            "timestamp": data["timestamp"],
            "seq": self.seq,
            "run_id": data.get("run_id"),
        }
        return json_line(frame)


_GREAT_NUMBER = re.compile(r"[0-9]{19}")
_OUTSIDE = frozenset({"event_type", "timestamp", "seq", "run_id", "session_id", "event_id"})


def line_of(event: Event) -> EventLine:
    """Take an event the log has numbered."""
    return EventLine(event.seq or 0, event.to_dict())


def line_from(seq: int, text: str) -> EventLine:
    """Take an event as the log keeps it."""
    try:
        return EventLine(seq, read_json(text))
    except orjson.JSONDecodeError:
        return EventLine(seq, json.loads(text))


def read_json(text: str) -> Any:
    """Read JSON; a whole number of more than 64 bits, which orjson would round, stays as it is."""
    value = orjson.loads(text)
    return json.loads(text) if _GREAT_NUMBER.search(text) else value


def json_line(value: Any) -> str:
    """Write JSON on one line; a model's text may hold half a character, which orjson refuses."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
