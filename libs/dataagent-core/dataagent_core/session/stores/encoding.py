"""What a store can hold: JSON that can be read again. Anything else is refused before it is kept.

A value that could be written but not read would close a whole session to its owner.
"""

import json
from collections.abc import Mapping
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.events import Event, from_json, to_json


def json_text(value: Mapping[str, Any], what: str) -> str:
    """Encode a session's state or a message's metadata."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValidationError(f"{what} must be JSON: {error}.") from error


def json_copy(value: dict[str, Any], what: str) -> dict[str, Any]:
    """Copy it the way writing and reading would."""
    return json.loads(json_text(value, what))


def event_line(event: Event) -> tuple[str, Event]:
    """Encode an event; return its line and the event as every later reader will see it."""
    try:
        line = to_json(event)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValidationError(f"a {event.event_type!r} event must be JSON: {error}.") from error
    return line, from_json(line)
