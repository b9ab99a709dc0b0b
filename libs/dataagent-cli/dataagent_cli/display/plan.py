"""The plan with check boxes. Pure."""

from collections.abc import Mapping, Sequence

from dataagent_cli.display.diff import Line
from dataagent_cli.harmless import one_line

PLAN_LINES_MAX = 30
_BOXES = {
    "completed": Line("[x]", "green"),
    "in_progress": Line("[>]", "yellow"),
    "failed": Line("[!]", "red"),
}
_OPEN = Line("[ ]")


def plan_lines(todos: Sequence[Mapping[str, object]]) -> list[Line]:
    """Give one line per step."""
    lines: list[Line] = []
    for todo in todos:
        box = _BOXES.get(str(todo.get("status")), _OPEN)
        lines.append(Line(f"  {box.text} {one_line(str(todo.get('content', '')))}", box.colour))
    return lines
