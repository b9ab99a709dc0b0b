"""One line per tool call: icon, verb, key argument, result, time. Pure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.cells import cell_len

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut

if TYPE_CHECKING:
    from dataagent_core.events import FileOperationEvent, ToolCallEvent, ToolResultEvent

# The argument that identifies a call; for other tools the first text argument.
_KEY_ARGUMENT = {
    "ls": "path",
    "read_file": "file_path",
    "write_file": "file_path",
    "edit_file": "file_path",
    "delete": "file_path",
    "glob": "pattern",
    "grep": "pattern",
    "task": "description",
    "start_task": "description",
    "check_task": "task_id",
    "cancel_task": "task_id",
    "execute": "command",
    "shell": "command",
    "web_search": "query",
    "fetch_url": "url",
}
_SECOND_MS = 1000
_DOT = " · "


def action(name: str, args: Mapping[str, object], say: Messages) -> str:
    """Describe a call in a few words."""
    verb = say(f"verb.{name}") if say.has(f"verb.{name}") else one_line(name)
    return f"{verb} {key_argument(name, args)}".rstrip()


def key_argument(name: str, args: Mapping[str, object]) -> str:
    """Return the argument that identifies a call of this tool."""
    value = args.get(_KEY_ARGUMENT.get(name, ""))
    if not isinstance(value, str):
        value = next((v for v in args.values() if isinstance(v, str)), "")
    return one_line(value)


def author_tag(call: "ToolCallEvent") -> str:
    """Name the sub-agent that made a call; empty for the agent itself."""
    return f"[{one_line(call.subagent)}] " if call.subagent else ""


def tool_line(
    call: "ToolCallEvent", result: "ToolResultEvent", brief: str, say: Messages, width_cells: int
) -> str:
    """Put a finished call on one line; everything but the time may be cut."""
    icon = "✓" if result.status == "success" else "✗"
    time = duration(result.duration_ms)
    room = width_cells - len(time) - len(_DOT)
    text = f"{icon} {author_tag(call)}{action(call.tool_name, call.tool_args, say)}"
    if brief:
        # A long argument must leave space for the result: the reason of a failure matters most.
        short = text if cell_len(text + brief) < room else cut(text, room * 3 // 5)
        text = short + _DOT + one_line(brief)
    return f"{cut(text, room)}{_DOT}{time}" if time else cut(text, width_cells)


def file_brief(event: "FileOperationEvent", say: Messages) -> str:
    """Describe a file operation in counts."""
    metrics = event.metrics
    if "lines_read" in metrics:
        return say("lines", count=metrics["lines_read"])
    if "lines_added" in metrics:
        return f"+{metrics['lines_added']} -{metrics['lines_removed']}"
    if "bytes_written" in metrics:
        return f"{metrics['bytes_written']} B"
    return ""


def duration(duration_ms: int | None) -> str:
    """Write a duration for a person."""
    if duration_ms is None:
        return ""
    return f"{duration_ms} ms" if duration_ms < _SECOND_MS else f"{duration_ms / _SECOND_MS:.1f} s"
