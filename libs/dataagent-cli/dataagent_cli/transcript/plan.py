"""The plan: finished, current and open steps, and their number. Pure."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.diff import ScreenLine, shorten_lines
from dataagent_cli.transcript.limits import LIVE_ROWS_OF_PLAN_MAX
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from pydantic import JsonValue


Steps = Sequence[Mapping[str, "JsonValue"]]


class Plan:
    """The current plan."""

    def __init__(self, say: Messages) -> None:
        self._say = say
        self._steps: list[dict[str, JsonValue]] = []

    def put(self, steps: Steps, look: TerminalStyle) -> list[Text]:
        """Set the plan: a new one is shown whole, progress on one line."""
        before, self._steps = self._steps, [dict(step) for step in steps]
        if not self._steps:
            return []
        if [s.get("content") for s in before] == [s.get("content") for s in self._steps]:
            return self._progress_line(look) if before != self._steps else []
        kept, more = shorten_lines(plan_lines(self._steps), PLAN_LINES_MAX)
        lines = [self._head(look), *(_to_text(line, look) for line in kept)]
        if more:
            lines.append(Text(f"  {self._say('more_lines', count=more)}", style="dim"))
        return lines

    def forget(self) -> None:
        self._steps = []

    def mark(self, step_number: int, status: str, look: TerminalStyle) -> list[Text]:
        """Set the status of one step of a work plan, counted from 1."""
        if not 1 <= step_number <= len(self._steps):
            return []
        steps = [dict(step) for step in self._steps]
        steps[step_number - 1]["status"] = status
        return self.put(steps, look)

    def rows(self, look: TerminalStyle) -> list[Text]:
        """Return the steps around the current one."""
        if not self._steps or self._count_done() == len(self._steps):
            return []
        lines = plan_lines(self._steps)
        room = LIVE_ROWS_OF_PLAN_MAX
        first = max(0, min(self._current_at() - room // 2, len(lines) - room))
        return [self._head(look), *(_to_text(line, look) for line in lines[first : first + room])]

    def _progress_line(self, look: TerminalStyle) -> list[Text]:
        at = self._current_at()
        current = self._steps[at] if at < len(self._steps) else None
        text = one_line(str(current.get("content", ""))) if current else ""
        progress = self._say("plan_progress", done=self._count_done(), count=len(self._steps))
        return [Text(cut(f"{progress} {text}".rstrip(), look.room_cells), style="dim")]

    def _head(self, look: TerminalStyle) -> Text:
        progress = self._say("plan_progress", done=self._count_done(), count=len(self._steps))
        return Text(cut(progress, look.room_cells), style="bold")

    def _count_done(self) -> int:
        return sum(step.get("status") == "completed" for step in self._steps)

    def _current_at(self) -> int:
        """Find the active step, or else the first open one."""
        for wanted in ("in_progress", "pending"):
            for at, step in enumerate(self._steps):
                if step.get("status") == wanted:
                    return at
        return len(self._steps)


def _to_text(line: ScreenLine, look: TerminalStyle) -> Text:
    return Text(cut(line.text, look.room_cells), style=line.colour or "")


PLAN_LINES_MAX = 30
_BOXES = {
    "completed": ScreenLine("[x]", "green"),
    "in_progress": ScreenLine("[>]", "yellow"),
    "failed": ScreenLine("[!]", "red"),
}
_OPEN = ScreenLine("[ ]")


def plan_lines(todos: Sequence[Mapping[str, object]]) -> list[ScreenLine]:
    """Return one line per step."""
    lines: list[ScreenLine] = []
    for todo in todos:
        box = _BOXES.get(str(todo.get("status")), _OPEN)
        lines.append(
            ScreenLine(f"  {box.text} {one_line(str(todo.get('content', '')))}", box.colour)
        )
    return lines
