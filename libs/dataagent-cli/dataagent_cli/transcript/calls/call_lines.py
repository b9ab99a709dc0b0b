"""A tool call on one line, and in full. Pure.

A data tool's own sentences are shown in the person's language; data stays as it is.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.progress import progress_line
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.diff import render_numbered_diff
from dataagent_cli.transcript.calls.folded_items import (
    Folded,
    FoldedCall,
    FoldedMessage,
    FoldedStep,
    FoldedTask,
    FoldedThought,
    number_tag,
)
from dataagent_cli.transcript.calls.tool_line import action, author_tag, tool_line
from dataagent_cli.transcript.limits import UNFOLDED_CHARS_MAX, UNFOLDED_LINES_MAX
from dataagent_cli.transcript.terminal.line_breaks import prefix_lines, wrap_text
from dataagent_cli.transcript.terminal.symbols import DOT, FAILED, OK, RUNNING
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import ToolCallEvent, ToolProgressEvent, ToolResultEvent

_DATA_TOOLS: Final = ("data_", "sql_", "result_", "metric_", "chart_", "report_")
# The beginnings of their own sentences; other lines may be data.
_OWN_LINES: Final = ("(Note: ", "Note: ")
_INDENT = Text("    ")
_BRIEF_CHARS_MAX = 1_000
_BAR_CELLS_MAX = 20
ICON_STYLES = {OK: "green", FAILED: "red"}


def brief_of(result: "ToolResultEvent", say: Messages) -> str:
    """Shorten a result: its first line, and the number of further lines."""
    text = result_text(result, say)
    if result.status != "success":
        return text[:_BRIEF_CHARS_MAX]
    lines = text.strip().split("\n")
    first = lines[0][:_BRIEF_CHARS_MAX]
    more = len(lines) - 1
    return f"{first} ({say('call_more', count=more)})" if more else first


def finished_line(
    item: FoldedCall, brief: str, number: int, say: Messages, look: TerminalStyle
) -> Text:
    """Write a finished call on one line, with the number to unfold it."""
    tag = number_tag(number, look)
    text = tool_line(item.call, item.result, brief, say, look.room_cells - len(tag))
    line = Text(text[:1], style=ICON_STYLES.get(text[:1], ""))
    return Text().append_text(line).append(text[1:]).append(tag, style="dim")


def running_line(
    call: "ToolCallEvent",
    progress: "ToolProgressEvent | None",
    elapsed_s: float,
    say: Messages,
    look: TerminalStyle,
) -> str:
    """Write a running call with its time and progress; a long argument is shortened."""
    text = f"{RUNNING} {author_tag(call)}{action(call.tool_name, call.tool_args, say)}"
    time = f" {DOT} {seconds(elapsed_s)}"
    room = look.room_cells - len(time)
    if progress is None:
        return cut(text, room) + time
    bar_cells = min(_BAR_CELLS_MAX, look.room_cells // 5)
    far = progress_line(progress.progress, progress.total, progress.message, bar_cells)
    far = f" {DOT} {far}"
    kept = cut(text, max(room - cell_len(far), room // 3))
    return cut(kept + far, room) + time


def announced_action(event: "ToolProgressEvent", say: Messages) -> str:
    """Describe a command that runs while its permission is still being decided."""
    return f"{say('verb.shell')} {one_line(event.message)}"


def announced_line(
    event: "ToolProgressEvent", tag: str, elapsed_s: float, say: Messages, look: TerminalStyle
) -> str:
    """Write an announced command as a running call."""
    time = f" {DOT} {seconds(elapsed_s)}"
    text = f"{RUNNING} {tag}{announced_action(event, say)}"
    return cut(text, look.room_cells - len(time)) + time


def seconds(elapsed_s: float) -> str:
    """Write an elapsed time in whole seconds."""
    minutes, rest = divmod(max(0, int(elapsed_s)), 60)
    return f"{minutes}:{rest:02} min" if minutes else f"{rest} s"


def render_unfolded(item: Folded, number: int, say: Messages, look: TerminalStyle) -> list[Text]:
    """Write an item in full, up to a limit."""
    match item:
        case FoldedThought():
            head = f"#{number} {say('thinking')}"
            body = _render_paragraph(item.text, look)
        case FoldedMessage():
            head = f"#{number} {say('role.user')}"
            body = _render_paragraph(item.text, look)
        case FoldedTask():
            head = f"#{number} {one_line(item.name)}: {one_line(item.task)}"
            body = _render_task(item, say, look)
        case FoldedCall():
            head = f"#{number} {action(item.call.tool_name, item.call.tool_args, say)}"
            body = _render_call(item, say, look)
    more = len(body) - UNFOLDED_LINES_MAX
    if more > 0:
        del body[UNFOLDED_LINES_MAX:]
        body.append(Text(f"    {say('more_lines', count=more)}", style="dim"))
    return [Text(cut(head, look.room_cells), style="bold"), *body]


def _render_task(item: FoldedTask, say: Messages, look: TerminalStyle) -> list[Text]:
    body = _render_field(say("subagent_task"), item.task, look)
    if item.steps:
        body.append(Text(f"  {say('subagent_steps')}:", style="dim"))
        body += [_render_step(step, say, look) for step in item.steps]
    return body + (_render_field(say("subagent_report"), item.report, look) if item.report else [])


def _render_step(step: FoldedStep, say: Messages, look: TerminalStyle) -> Text:
    room = look.room_cells - cell_len(_INDENT.plain)
    call, result = step.call, step.result
    if result is None:
        doing = action(call.tool_name, call.tool_args, say)
        text = cut(f"{FAILED} {doing} {DOT} {say('call_unfinished')}", room)
    else:
        text = tool_line(call, result, plain_text(result.result), say, room)
    icon = Text(text[:1], style=ICON_STYLES.get(text[:1], ""))
    return Text().append_text(_INDENT).append_text(icon).append(text[1:])


def _render_call(item: FoldedCall, say: Messages, look: TerminalStyle) -> list[Text]:
    body: list[Text] = []
    for name, value in item.call.tool_args.items():
        body += _render_field(name, plain_text(value), look)
    for file in item.files:
        body += _render_field(file.operation, file.file_path, look)
        body += render_numbered_diff(file.diff, look.room_cells) if file.diff else []
    body += _render_field(say("call_result"), result_text(item.result, say), look)
    for made in item.result.artifacts:
        body += _render_field(say("call_made"), str(made.get("path", "")), look)
    for name, value in _receipt_words(item.result.receipt or {}, say).items():
        body += _render_field(name, value, look)
    return body


def _receipt_words(receipt: Mapping[str, object], say: Messages) -> dict[str, str]:
    """Select what a person can use; hashes and sizes are for programs, which read the log."""
    words: dict[str, str] = {}
    if "exit_code" in receipt:
        words[say("call_exit_code")] = plain_text(receipt["exit_code"])
    match receipt.get("result"):
        case {"result_id": str(result_id)}:
            words[say("call_kept")] = result_id
        case _:
            pass
    return words


def _render_field(name: str, value: str, look: TerminalStyle) -> list[Text]:
    head = Text().append("  ").append(f"{one_line(name)}:", style="dim")
    text = sanitize_text(value[:UNFOLDED_CHARS_MAX]).rstrip("\n")
    if "\n" not in text:
        return wrap_text(head.append(f" {text}"), look.room_cells)
    return [*wrap_text(head, look.room_cells), *_render_paragraph(text, look)]


def _render_paragraph(text: str, look: TerminalStyle) -> list[Text]:
    clean = Text(sanitize_text(text[:UNFOLDED_CHARS_MAX]).rstrip("\n"))
    return prefix_lines(_INDENT, _INDENT, wrap_text(clean, look.room_cells - len(_INDENT)))


def result_text(result: "ToolResultEvent", say: Messages) -> str:
    """Return the text of a result; file contents and rows of data stay as they are."""
    text = plain_text(result.result)
    if not result.tool_name.startswith(_DATA_TOOLS):
        return text
    if result.status != "success":
        return say.translate(text)
    return "\n".join(
        say.translate(line) if number == 0 or line.startswith(_OWN_LINES) else line
        for number, line in enumerate(text.split("\n"))
    )


def plain_text(value: object) -> str:
    """Write a value as text, or as JSON if it is not text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
