"""Reading a list out of one environment variable, as JSON (S0) or separated by commas. Pure."""

import json
from typing import Any


def parse_list(value: Any) -> Any:
    """Turn the text of a variable into a list; what is no text is somebody else's to check."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        message = 'it is not a JSON list; write ["first", "second"], or first,second'
        raise ValueError(message) from None
