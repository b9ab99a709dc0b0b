"""Encodes values as JSON for a store, and refuses what could not be read again.

A value that could be written but not read would make a whole session unreadable.
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
    """Copy a value as writing and reading would."""
    return json.loads(json_text(value, what))


def event_line(event: Event) -> tuple[str, Event]:
    """Encode an event; return its line and the event as readers will get it."""
    try:
        line = to_json(event)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValidationError(f"a {event.event_type!r} event must be JSON: {error}.") from error
    return line, from_json(line)
