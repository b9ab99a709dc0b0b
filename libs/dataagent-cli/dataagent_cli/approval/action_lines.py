"""The approval question as lines: the tool, every argument, and for file tools the change. Pure.

Hidden characters are spelled out and every line is folded behind a bar, so that no argument can
look like a part of the prompt.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from dataagent_cli.approval.preview import SHOWN_BY_DIFF
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.output.text_width import cut, fold
from dataagent_cli.transcript.calls.diff import ScreenLine, diff_lines
from dataagent_cli.transcript.calls.task_names import TaskName
from dataagent_core.hitl import ActionRequest

BAR = "│ "
_TASK_CELLS_MAX = 150


def title(action: ActionRequest, say: Messages, task: TaskName | None) -> str:
    """Name the tool and the agent that asks."""
    tool = spell_out(action["name"])
    subagent = action.get("subagent") if task is None else task.label
    if subagent:
        return say("asks_sub", tool=tool, subagent=spell_out(subagent))
    return say("asks", tool=tool)


def question_lines(
    action: ActionRequest,
    diff: str | None,
    say: Messages,
    width_cells: int,
    task: TaskName | None = None,
) -> list[ScreenLine]:
    """Write the whole tool call; a diff replaces the arguments it shows."""
    hidden = SHOWN_BY_DIFF[action["name"]] if diff else frozenset[str]()
    lines: list[ScreenLine] = []
    if task is not None:
        heading = say("asks_for_task", task=cut(task.task, _TASK_CELLS_MAX))
        lines.append(ScreenLine(f"({heading})", "cyan"))
    if action.get("version"):
        # For an external tool, core adds its origin and its server's description, on one line.
        lines.append(ScreenLine(action["description"].rpartition("\n")[2], "cyan"))
    for name, value in action["args"].items():
        if name not in hidden:
            lines.extend(argument_lines(name, value))
    if diff:
        lines.extend(diff_lines(diff))
    if reason := action.get("reason"):
        lines.append(ScreenLine(f"({say.translate(reason)})", "cyan"))
    lines.extend(
        ScreenLine(f"[a] [p] = allow {rule.get('tool')} {rule.get('resource')}", "cyan")
        for rule in action.get("saves", [])
    )
    return behind_bar(lines, width_cells)


def behind_bar(lines: Iterable[ScreenLine], width_cells: int, indent: str = "") -> list[ScreenLine]:
    """Spell out and fold lines of a call behind the bar; pieces of a line are indented alike."""
    start = BAR + indent
    return [
        ScreenLine(start + piece, line.colour)
        for line in lines
        for piece in fold(spell_out(line.text), width_cells - len(start))
    ]


def argument_lines(name: str, value: Any) -> Iterator[ScreenLine]:
    """Write one argument; a value of several lines is indented."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    if "\n" not in text:
        yield ScreenLine(f"{name}: {text}")
        return
    yield ScreenLine(f"{name}:")
    for part in text.split("\n"):
        yield ScreenLine(f"  {part}")
