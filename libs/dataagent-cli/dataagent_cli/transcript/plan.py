"""Draws the plan: its numbered steps with their state, and what changed in it. Pure.

A to-do list and a work plan are drawn alike; `plan_steps.py` says what they hold.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.tool_line import duration
from dataagent_cli.transcript.limits import LIVE_ROWS_OF_PLAN_MAX, PLAN_LINES_MAX
from dataagent_cli.transcript.plan_steps import (
    OPEN_STATUSES,
    WITHOUT_A_PLAN,
    PlanSteps,
    ShownStep,
)
from dataagent_cli.transcript.price import format_cost
from dataagent_cli.transcript.terminal.symbols import AGENT, DOT, draw_symbols
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from pydantic import JsonValue

    from dataagent_core.events import StepEndEvent, StepStartEvent, WorkPlanEvent
    from dataagent_core.planning import WorkPlan

_INDENT = "  "
_NUMBER_CELLS_MAX = 6
# The box of a status, and the style of its line.
_BOXES = {
    "completed": ("[x]", "green"),
    "in_progress": ("[>]", "yellow"),
    "failed": ("[!]", "red"),
    "timeout": ("[!]", "red"),
    "skipped": ("[-]", "dim"),
}
_OPEN_BOX = ("[ ]", "")
# Why nothing came of a step is told for these.
_UNSUCCESSFUL = ("failed", "timeout", "skipped")


class Plan:
    """The current plan."""

    def __init__(self, say: Messages) -> None:
        self._say = say
        self._plan = PlanSteps()

    def put_todos(
        self, todos: "Sequence[Mapping[str, JsonValue]]", look: TerminalStyle
    ) -> list[Text]:
        """Take a to-do list: a new one is shown whole, progress on one line."""
        before = self._plan.steps
        if not self._plan.put_todos(todos) or not self._plan.steps:
            return []
        if _same_tasks(before, self._plan.steps):
            return [self._progress_line(look)]
        return self._whole(look)

    def put_version(self, event: "WorkPlanEvent", look: TerminalStyle) -> list[Text]:
        """Take a version of a work plan: what happened to it, and steps that are new or changed."""
        before, stage = self._plan.steps, (self._plan.stage, self._plan.round)
        if not self._plan.put_version(event):
            return []
        steps = self._plan.steps
        told = self._told(event, stage[1], look, is_changed=steps != before)
        if steps and not _same_tasks(before, steps):
            return [*told, *self._whole(look)]
        # A person who skips a step, or gives it to another sub-agent, changes no other.
        told += [
            line
            for old, step in zip(before, steps, strict=False)
            if old != step
            for line in self._step_lines(step, look)
        ]
        moved = event.change == "ended" or (self._plan.stage, self._plan.round) != stage
        if moved and event.status not in WITHOUT_A_PLAN:
            told.append(self._head(look, style="dim"))
        return told

    def begin_step(self, event: "StepStartEvent", look: TerminalStyle) -> list[Text]:
        """Show the step that begins; one that no plan has is named alone."""
        before = self._plan.find(event.step_number)
        self._plan.begin(event)
        if before is not None:
            return self._changed_lines(before, look)
        text = one_line(event.description)
        return [Text(cut(f"{AGENT} {text}", look.room_cells))] if text else []

    def end_step(self, event: "StepEndEvent", look: TerminalStyle) -> list[Text]:
        """Show what came of a step."""
        before = self._plan.find(event.step_number)
        self._plan.end(event)
        return [] if before is None else self._changed_lines(before, look)

    def forget(self) -> None:
        self._plan.forget()

    def rows(self, look: TerminalStyle) -> list[Text]:
        """Return the steps around the first that is worked on; the head alone when none is open."""
        steps = self._plan.steps
        if not any(step.status in OPEN_STATUSES for step in steps):
            return [self._head(look)] if self._plan.stage else []
        current = _find_current(steps)
        lines: list[Text] = []
        current_row = 0
        for step in steps:
            if step is current:
                current_row = len(lines)
            lines += self._step_lines(step, look)
        room = LIVE_ROWS_OF_PLAN_MAX
        first = max(0, min(current_row - room // 2, len(lines) - room))
        return [self._head(look), *lines[first : first + room]]

    def lines(self, look: TerminalStyle) -> list[Text]:
        """Return all steps below the head."""
        steps = self._plan.steps
        return [self._head(look), *(line for s in steps for line in self._step_lines(s, look))]

    def _whole(self, look: TerminalStyle) -> list[Text]:
        head, *lines = self.lines(look)
        kept, more = lines[:PLAN_LINES_MAX], len(lines) - PLAN_LINES_MAX
        hint = [Text(f"{_INDENT}{self._say('more_lines', count=more)}", style="dim")]
        return [head, *kept, *(hint if more > 0 else [])]

    def _told(
        self, event: "WorkPlanEvent", round_before: int, look: TerminalStyle, *, is_changed: bool
    ) -> list[Text]:
        """Say in one line what happened to the plan."""
        # A person's words are on the screen already, as their answer.
        reason = "" if event.by else self._say.translate(one_line(event.reason))
        match event.change:
            case _ if event.status in WITHOUT_A_PLAN:
                key, style = "without", "yellow"
            case "edited" if is_changed:
                key, style = "edited", ""
            case "replanned":
                key, style = "replanned", ""
            case "reviewed" if event.round > round_before:
                key, style = "sent_back", ""
            case "reviewed" if reason:
                key, style = "reviewed", ""
            case _ if event.status == "failed":
                key, style = "failed", "red"
            case _:
                return []
        told = self._because(self._say(f"plan_change.{key}"), reason)
        return [Text(cut(told, look.room_cells), style=style)]

    def _because(self, told: str, reason: str) -> str:
        return self._say("plan_because", told=told, reason=reason) if reason else told

    def _progress_line(self, look: TerminalStyle) -> Text:
        current = _find_current(self._plan.steps)
        text = one_line(current.text) if current else ""
        return Text(cut(f"{self._progress()} {text}".rstrip(), look.room_cells), style="dim")

    def _head(self, look: TerminalStyle, style: str = "bold") -> Text:
        parts = [self._progress()]
        if stage := self._plan.stage:
            now = self._say(f"plan_stage.{stage}") if self._say.has(f"plan_stage.{stage}") else ""
            if self._plan.round > 0:
                now = self._say("plan_round", stage=now, round=self._plan.round)
            parts.append(now)
        return Text(cut(f" {DOT} ".join(filter(None, parts)), look.room_cells), style=style)

    def _progress(self) -> str:
        steps = self._plan.steps
        if not steps:
            return self._say("plan_without_steps")
        done = sum(step.status == "completed" for step in steps)
        return self._say("plan_progress", done=done, count=len(steps))

    def _changed_lines(self, before: ShownStep, look: TerminalStyle) -> list[Text]:
        step = self._plan.find(before.number)
        return [] if step is None or step == before else self._step_lines(step, look)

    def _step_lines(self, step: ShownStep, look: TerminalStyle) -> list[Text]:
        box, style = _BOXES.get(step.status, _OPEN_BOX)
        width = max(len(_number(one)) for one in self._plan.steps)
        sign = f"{_INDENT}{_number(step):>{width}} {box} "
        room = max(look.room_cells - cell_len(sign), 1)
        text = one_line(step.text)
        # The end of a line may take what its text leaves free, or half of it.
        end = _join_while_they_fit(self._end_parts(step), max(room - cell_len(text), room // 2))
        text = cut(text, room - cell_len(end))
        lines = [Text().append(sign + text, style=style).append(end, style="dim")]
        if step.status in _UNSUCCESSFUL and (step.result or step.status == "timeout"):
            reason = self._say.translate(one_line(step.result))
            why = self._because(self._say(f"plan_step.{step.status}"), reason)
            indent = " " * cell_len(sign)
            lines.append(Text(cut(indent + why, look.room_cells), style="dim"))
        return lines

    def _end_parts(self, step: ShownStep) -> list[str]:
        """Return what stands behind the text of a step, the most important first."""
        tokens = self._say("used_tokens", tokens=step.tokens) if step.tokens else ""
        cost = "" if step.cost is None else format_cost(step.cost, step.currency)
        return [one_line(step.agent), duration(step.duration_ms), tokens, cost]


def draw_plan(plan: "WorkPlan", say: Messages, look: TerminalStyle) -> list[Text]:
    """Draw a work plan as it stands, with all its steps."""
    drawn = Plan(say)
    told = drawn.put_version(plan.to_event("made"), look)
    lines = drawn.lines(look) if plan.steps else told
    return [draw_symbols(line, look) for line in lines]


def _number(step: ShownStep) -> str:
    return cut(str(step.number), _NUMBER_CELLS_MAX)


def _same_tasks(before: Sequence[ShownStep], after: Sequence[ShownStep]) -> bool:
    """Say whether two plans have the same steps in the same order, however far they are."""
    return [(s.number, s.text) for s in before] == [(s.number, s.text) for s in after]


def _find_current(steps: Sequence[ShownStep]) -> ShownStep | None:
    """Find the first active step, or else the first open one."""
    for wanted in OPEN_STATUSES:
        for step in steps:
            if step.status == wanted:
                return step
    return None


def _join_while_they_fit(parts: Sequence[str], room_cells: int) -> str:
    joined = ""
    for part in filter(None, parts):
        longer = f"{joined} {DOT} {part}"
        if cell_len(longer) <= room_cells:
            joined = longer
    return joined
