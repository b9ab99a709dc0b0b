"""Follows tool calls from call to result, and writes one line and a diff for each."""

from typing import TYPE_CHECKING

from dataagent_cli.display.diff import Line, diff_lines, shortened
from dataagent_cli.display.fit import cut
from dataagent_cli.display.plots import Read, plot_lines
from dataagent_cli.display.tool_line import file_brief, tool_line
from dataagent_cli.display.tool_result import result_text
from dataagent_cli.harmless import cleaned
from dataagent_cli.messages import Messages
from dataagent_cli.output import Output

if TYPE_CHECKING:
    from dataagent_core.events import FileOperationEvent, ToolCallEvent, ToolResultEvent

DIFF_LINES_MAX = 40
CHANGES_SHOWN_MAX = 8
FILE_TOOLS = frozenset({"read_file", "write_file", "edit_file", "multi_edit", "delete_file"})
# What these return only repeats what the line or the plan already says.
_SILENT = frozenset({"write_todos"})


class ToolCalls:
    """Keeps the calls under way; `previewed` names those whose diff the person has just seen."""

    def __init__(
        self, output: Output, say: Messages, previewed: set[str], read: Read | None
    ) -> None:
        self._output = output
        self._read = read
        self._say = say
        self._previewed = previewed
        self._calls: dict[str, ToolCallEvent] = {}
        self._file_result: ToolResultEvent | None = None
        # How many files the last command changed, so far.
        self._changes = 0

    def called(self, event: "ToolCallEvent") -> None:
        self._calls[event.tool_call_id] = event

    def returned(self, event: "ToolResultEvent") -> None:
        """Show a finished call; a file tool's line waits for the counts that come next."""
        self._changes = 0
        if event.status != "error":
            if event.tool_name in FILE_TOOLS:
                self._file_result = event
                return
            if event.tool_name in _SILENT:
                return
        self._write(event, result_text(event, self._say))
        if self._read is not None:
            for line in plot_lines(event, self._read, self._output.width_cells):
                self._indented(Line(line))

    def touched_file(self, event: "FileOperationEvent") -> None:
        """Show what a file tool did, with its diff; or a file that a command changed, by name."""
        result, self._file_result = self._file_result, None
        if result is None:
            self._command_changed(event)
            return
        self._write(result, file_brief(event, self._say))
        if event.diff and result.tool_call_id not in self._previewed:
            kept, more = shortened(diff_lines(event.diff), DIFF_LINES_MAX)
            for line in kept:
                self._indented(line)
            if more:
                self._indented(Line(self._say("more_lines", count=more)))

    def _command_changed(self, event: "FileOperationEvent") -> None:
        # Few by name; the log has them all.
        self._changes += 1
        if self._changes <= CHANGES_SHOWN_MAX:
            brief = file_brief(event, self._say)
            self._indented(Line(f"{event.operation} {event.file_path}  {brief}"))
        elif self._changes == CHANGES_SHOWN_MAX + 1:
            self._indented(Line("..."))

    def _write(self, result: "ToolResultEvent", brief: str) -> None:
        call = self._calls.pop(result.tool_call_id, None)
        if call is None:
            return
        text = tool_line(call, result, brief, self._say, self._output.width_cells)
        self._output.note(text, fg="red" if result.status == "error" else "blue")

    def _indented(self, line: Line) -> None:
        style = {"fg": line.colour} if line.colour else {}
        room = self._output.width_cells - 4
        self._output.note("    " + cut(cleaned(line.text).expandtabs(4), room), **style)
