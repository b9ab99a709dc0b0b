"""How a value and an expectation are written in a message to a model."""

import json
from typing import Any

from dataagent_core.config.limits import ARGUMENT_VALUE_SHOWN_CHARS_MAX

_TYPE_NAMES: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def type_name(value: Any) -> str:
    """Name a value's type as JSON does."""
    return _TYPE_NAMES.get(type(value), type(value).__name__)


def render_value(value: Any) -> str:
    """Write a value short, with its type."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) > ARGUMENT_VALUE_SHOWN_CHARS_MAX:
        text = text[:ARGUMENT_VALUE_SHOWN_CHARS_MAX] + "..."
    return f"{text} ({type_name(value)})"


def render_path(path: tuple[str | int, ...]) -> str:
    """Write where in the arguments something stands: `edits[2].old_string`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return f"`{text.removeprefix('.')}`" if text else "the arguments"
