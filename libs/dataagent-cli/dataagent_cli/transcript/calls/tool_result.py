"""What a call gave, as a person reads it: a data tool's own words in their language. Pure."""

import json
from typing import TYPE_CHECKING, Final

from dataagent_cli.messages import Messages

if TYPE_CHECKING:
    from dataagent_core.events import ToolResultEvent

_DATA_TOOLS: Final = ("data_", "sql_", "result_", "metric_", "chart_", "report_")
# How they begin the lines that are words of theirs; the others may be somebody's data.
_OWN_LINES: Final = ("(Note: ", "Note: ")


def result_text(result: "ToolResultEvent", say: Messages) -> str:
    """Give it as text; a file's content and rows of data stay as they are."""
    text = plain_text(result.result)
    if not result.tool_name.startswith(_DATA_TOOLS):
        return text
    if result.status == "error":
        return say.translate(text)
    return "\n".join(
        say.translate(line) if number == 0 or line.startswith(_OWN_LINES) else line
        for number, line in enumerate(text.split("\n"))
    )


def plain_text(value: object) -> str:
    """Write a value as text: what is no text as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
