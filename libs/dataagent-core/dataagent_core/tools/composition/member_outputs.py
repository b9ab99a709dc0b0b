"""What a member returned, as a value that later steps can take parts of."""

import json
from typing import Any

from langchain_core.messages import ToolMessage


def parse_output(message: ToolMessage) -> Any:
    """Read a JSON object or array; everything else stays the text it is."""
    text = message.text
    # Only these: "007" and "true" are texts to the tool that wrote them.
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def render_output(output: Any) -> str:
    """Write an output for the model to read."""
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
