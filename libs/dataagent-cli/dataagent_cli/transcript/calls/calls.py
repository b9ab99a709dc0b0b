"""Follows tool calls: one line per finished call, one row per running call.

A file tool's line waits for the counts that come right after its result. A sub-agent's own calls
are rows while they run and are counted by `subagents.py`; only their changes are printed.
"""

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.call_lines import (
    announced_action,
    announced_line,
    brief_of,
    finished_line,
    running_line,
)
from dataagent_cli.transcript.calls.diff import render_numbered_diff
from dataagent_cli.transcript.calls.folded_items import FoldedCall, FoldedItems
from dataagent_cli.transcript.calls.tool_line import action, author_tag, file_brief
from dataagent_cli.transcript.limits import CHANGES_SHOWN_MAX, DIFF_LINES_MAX
from dataagent_cli.transcript.terminal.symbols import DOT, FAILED
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import (
        FileOperationEvent,
        ToolCallEvent,
        ToolProgressEvent,
        ToolResultEvent,
    )

FILE_TOOLS = frozenset({"read_file", "write_file", "edit_file", "multi_edit", "delete_file"})
# They are shown otherwise, also where they are cut off: as the plan, or as a question.
_SHOWN_OTHERWISE = frozenset(
    {
        "write_todos",
        "propose_plan",
        "ask_clarification",
        "ask_decision",
        "plan_question",
        "finish_step",
    }
)
# So are the results of these: as the sub-agent's own line.
_SILENT = _SHOWN_OTHERWISE | {"task", "start_task"}
# The task of the sub-agent that made a call, and the id that its model gave it.
CallId = tuple[str | None, str]


def id_of(event: "ToolCallEvent | ToolProgressEvent | ToolResultEvent") -> CallId:
    """Name a call among those that run at the same time."""
    return event.subagent_id, event.tool_call_id


class ToolCalls:
    """The running calls; `previewed` names those whose diff the person has just seen."""

    def __init__(self, say: Messages, folded: FoldedItems, previewed: set[str]) -> None:
        self._say = say
        self._folded = folded
        self._previewed = previewed
        # Some models reuse an id in every message, so two running calls may have the same one.
        self._running: list[ToolCallEvent] = []
        self._progress: dict[CallId, ToolProgressEvent] = {}
        # Commands that run while their permission is still being decided
        # (`tools/shell/shell_look.py`), with the tag of their sub-agent.
        self._announced: dict[CallId, tuple[ToolProgressEvent, str]] = {}
        self._last: FoldedCall | None = None
        self._waits_for_counts = False
        self._changes = 0

    def add_call(self, event: "ToolCallEvent") -> None:
        self._announced.pop(id_of(event), None)
        self._running.append(event)

    def add_progress(self, event: "ToolProgressEvent", tag: str) -> None:
        if any(id_of(call) == id_of(event) for call in self._running):
            self._progress[id_of(event)] = event
        else:
            self._announced[id_of(event)] = event, tag

    def clear_announced(self) -> None:
        """Drop announced commands: they have ended, and the person is asked."""
        self._announced.clear()

    def add_result(
        self, event: "ToolResultEvent", look: TerminalStyle, *, is_shown: bool
    ) -> list[Text]:
        """Return the line of a result, unless it is shown elsewhere or counts follow."""
        call = self._pop_call(event)
        self._announced.pop(id_of(event), None)
        self._progress.pop(id_of(event), None)
        self._last, self._changes = None, 0
        if call is None or is_shown:
            return []
        failed = event.status != "success"
        if not failed and event.tool_name in _SILENT:
            return []
        self._last = FoldedCall(call, event)
        if not failed and event.tool_name in FILE_TOOLS:
            self._waits_for_counts = True
            return []
        return self._line("" if _loads_skill(call, event) else brief_of(event, self._say), look)

    def add_file_operation(self, event: "FileOperationEvent", look: TerminalStyle) -> list[Text]:
        """Return the line and diff of a file tool, or the name of a file that a command changed."""
        if self._last is not None:
            self._last.files.append(event)
        if not self._waits_for_counts:
            return self._changed_file_lines(event, look)
        self._waits_for_counts = False
        lines = self._line(file_brief(event, self._say), look, shown=bool(event.diff))
        call_id = self._last.call.tool_call_id if self._last else ""
        if call_id in self._previewed:
            # Once: some models reuse an id in every message.
            self._previewed.remove(call_id)
            return lines
        return [*lines, *self._diff(event, look)]

    def flush(self, look: TerminalStyle) -> list[Text]:
        """Return the line that waited for counts: another event came instead."""
        if not self._waits_for_counts or self._last is None:
            return []
        self._waits_for_counts = False
        return self._line(brief_of(self._last.result, self._say), look)

    def unfinished_lines(
        self,
        refused: Container[CallId],
        hides: Callable[["ToolCallEvent"], bool],
        look: TerminalStyle,
    ) -> list[Text]:
        """Return a line for each call that the end of the run cut off.

        Refused ones have theirs, and `hides` names those that the line of a sub-agent shows.
        """
        reason = self._say("call_unfinished")
        room = look.room_cells - cell_len(reason) - 5
        actions = [
            f"{author_tag(call)}{action(call.tool_name, call.tool_args, self._say)}"
            for call in self._running
            if call.tool_name not in _SHOWN_OTHERWISE
            and id_of(call) not in refused
            and not hides(call)
        ]
        actions += [
            tag + announced_action(event, self._say) for event, tag in self._announced.values()
        ]
        return [
            Text().append(FAILED, style="red").append(f" {cut(text, room)} {DOT} {reason}")
            for text in actions
        ]

    def forget(self) -> None:
        """Drop the running calls: they are void, or the run is over."""
        self._running.clear()
        self._progress.clear()
        self._announced.clear()

    def rows(
        self, now_s: float, hides: Callable[["ToolCallEvent"], bool], look: TerminalStyle
    ) -> list[str]:
        """Return a row for each running call, except those shown in a sub-agent's row."""
        announced = [
            announced_line(event, tag, now_s - event.timestamp, self._say, look)
            for event, tag in self._announced.values()
        ]
        return announced + [
            running_line(
                call,
                self._progress.get(id_of(call)),
                now_s - call.timestamp,
                self._say,
                look,
            )
            for call in self._running
            if call.tool_name not in _SILENT and not hides(call)
        ]

    @property
    def running(self) -> "Sequence[ToolCallEvent]":
        """The calls that run now."""
        return self._running

    def _pop_call(self, result: "ToolResultEvent") -> "ToolCallEvent | None":
        for call in self._running:
            if (id_of(call), call.tool_name) == (id_of(result), result.tool_name):
                self._running.remove(call)
                return call
        return None

    def _line(self, brief: str, look: TerminalStyle, *, shown: bool = False) -> list[Text]:
        last = self._last
        if last is None or (last.call.subagent and not shown):
            return []
        number = self._folded.keep(last)
        return [finished_line(last, brief, number, self._say, look)]

    def _diff(self, event: "FileOperationEvent", look: TerminalStyle) -> list[Text]:
        lines = render_numbered_diff(event.diff, look.room_cells) if event.diff else []
        more = len(lines) - DIFF_LINES_MAX
        if more <= 0:
            return lines
        hint = self._say("more_lines", count=more)
        if look.unfolds:
            hint = self._say("folded_lines", count=more, number=self._folded.last)
        return [*lines[:DIFF_LINES_MAX], Text(cut(f"    {hint}", look.room_cells), style="dim")]

    def _changed_file_lines(self, event: "FileOperationEvent", look: TerminalStyle) -> list[Text]:
        if event.operation == "read" or event.status != "success":
            return []  # of a call that failed, whose line says so
        # Only a few are named; unfolding shows all.
        self._changes += 1
        if self._changes > CHANGES_SHOWN_MAX + 1:
            return []
        call = None if self._last is None else self._last.call
        by = "" if call is None else author_tag(call)
        text = f"{by}{event.operation} {one_line(event.file_path)} {file_brief(event, self._say)}"
        if self._changes > CHANGES_SHOWN_MAX:
            # The call of a sub-agent has no number of its own.
            unfolds = look.unfolds and not by
            text = self._say("folded_changes", number=self._folded.last) if unfolds else f"{by}…"
        return [Text("    " + cut(one_line(text), look.room_cells - 4), style="dim")]


def _loads_skill(call: "ToolCallEvent", result: "ToolResultEvent") -> bool:
    """Say whether a result is only the text of a skill, which is for the model."""
    args = call.tool_args
    is_load = call.tool_name == "skill" and "name" in args and not args.get("inputs")
    return is_load and result.status == "success"
