"""One event for a reader: its number and its JSON, from the log or from the buffer."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from dataagent_core.events import Event, from_dict


@dataclass(frozen=True)
class EventLine:
    """A numbered event. Its renderings are cached, because several readers may need them."""

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
    """Make a line of a numbered event."""
    return EventLine(event.seq or 0, event.to_dict())


def line_from(seq: int, text: str) -> EventLine:
    """Make a line of a stored event."""
    try:
        return EventLine(seq, read_json(text))
    except orjson.JSONDecodeError:
        return EventLine(seq, json.loads(text))


def read_json(text: str) -> Any:
    """Parse JSON; an integer of more than 64 bits, which orjson would round, stays exact."""
    value = orjson.loads(text)
    return json.loads(text) if _GREAT_NUMBER.search(text) else value


def json_line(value: Any) -> str:
    """Write JSON on one line; orjson refuses lone surrogates, which a model's text may hold."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
