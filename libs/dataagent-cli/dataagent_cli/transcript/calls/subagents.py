"""Sub-agents: one row each while they work, one line when they are done. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.call_lines import (
    ICON_STYLES,
    brief_of,
    result_text,
    seconds,
)
from dataagent_cli.transcript.calls.calls import CallId, id_of
from dataagent_cli.transcript.calls.folded_items import (
    FoldedItems,
    FoldedStep,
    FoldedTask,
    number_tag,
)
from dataagent_cli.transcript.calls.task_names import TaskNames
from dataagent_cli.transcript.calls.tool_line import action, duration
from dataagent_cli.transcript.limits import SUBAGENT_CALLS_KEPT_MAX
from dataagent_cli.transcript.terminal.symbols import AGENT, DOT, FAILED, OK
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import Event, SubAgentEvent, ToolCallEvent, ToolResultEvent

_MS = 1000
_BACKGROUND_LINES_MAX = 2
_WIDE_CELLS = 60
_STEP = re.compile(r"/\d+\Z")


@dataclass(slots=True)
class _Worker:
    # The id of its task; an old log has none.
    id: str | None
    name: str
    # The name, numbered where the run has another task of this sub-agent.
    label: str
    task: str
    began_s: float
    calls: int = 0
    steps: list[FoldedStep] = field(default_factory=list[FoldedStep])
    report: str = ""


class SubAgents:
    """The active sub-agents."""

    def __init__(self, say: Messages, folded: FoldedItems) -> None:
        self._say = say
        self._folded = folded
        self._names = TaskNames()
        self._workers: list[_Worker] = []
        # Those that worked when the run was interrupted, until they go on.
        self._interrupted: list[_Worker] = []
        # The calls that start sub-agents, and the lines that are shown: the result of the call,
        # which comes last, has the reports.
        self._tasks: dict[CallId, ToolCallEvent] = {}
        self._ended: list[FoldedTask] = []

    def add_call(self, call: "ToolCallEvent") -> None:
        """Count a call of a sub-agent, or store the call that starts one."""
        if call.tool_name == "task":
            self._tasks[id_of(call)] = call
        worker = self._find(call)
        if worker is not None:
            worker.calls += 1
            if len(worker.steps) < SUBAGENT_CALLS_KEPT_MAX:
                worker.steps.append(FoldedStep(replace(call, subagent=None)))

    def add_result(self, result: "ToolResultEvent") -> bool:
        """Take the report of a task; say whether the line of its sub-agent shows it.

        The result of another call belongs to the step that made it.
        """
        self._finish_step(result)
        call = self._tasks.pop(id_of(result), None)
        if call is None:
            return False
        found = [one for one in (*self._ended, *self._workers) if _is_of_call(one, call)]
        for one in found:
            one.report = result_text(result, self._say)
        return bool(found)

    def see(self, event: "Event") -> None:
        """Take an event into account before it is shown: the names of tasks come from it."""
        self._names.see(event)

    def named(self, call: "ToolCallEvent") -> "ToolCallEvent":
        """Return a call with the name of the task that made it."""
        name = self._names.find(call.subagent_id)
        return call if name is None else replace(call, subagent=name.label)

    def follow(self, event: "SubAgentEvent", look: TerminalStyle) -> list[Text]:
        """Follow a sub-agent; return the sentence about it, or its line when it is done."""
        match event.phase:
            case "assigned" if event.mode == "background":
                return [self._background_line(event, look)]
            case "assigned":
                told = self._say("subagent_assigned", name=one_line(event.name))
                reason = self._say.translate(one_line(event.reason))
                why = f" {DOT} {reason}" if reason else ""
                return [Text(f"{AGENT} {told}{why}", style="dim")]
            case "started":
                self._interrupted = [one for one in self._interrupted if not _is_task(one, event)]
                self._workers.append(self._make_worker(event))
                return []
            case "finished" | "failed":
                return self._finish(event, look)

    def shows(self, call: "ToolCallEvent") -> bool:
        """Say whether the row of an active sub-agent shows a call."""
        return self._find(call) is not None

    def has_line(self, call: "ToolCallEvent") -> bool:
        """Say whether the line of a sub-agent shows a call: one it made, or the one of its task."""
        if call.tool_name != "task":
            return self.shows(call)
        return any(_is_of_call(one, call) for one in (*self._ended, *self._workers))

    def tag(self, event: "Event") -> str:
        """Name the sub-agent that an event is of; empty for the agent itself."""
        name = self._names.find(event.subagent_id)
        return "" if name is None else f"[{name.label}] "

    def _find(self, call: "ToolCallEvent") -> _Worker | None:
        """Find who made a call; by name only where one alone has it."""
        if call.subagent_id is not None:
            return next((one for one in self._workers if one.id == call.subagent_id), None)
        named = [one for one in self._workers if one.name == call.subagent]
        return named[0] if len(named) == 1 else None

    def interrupt(self) -> None:
        """Note that a run is resumed: who worked may go on, or be cut off here."""
        self._interrupted += self._workers
        self._workers.clear()
        self._tasks.clear()
        self._ended.clear()

    def forget(self) -> None:
        self._workers.clear()
        self._interrupted.clear()
        self._tasks.clear()
        self._ended.clear()

    def rows(self, now_s: float, running: "Sequence[ToolCallEvent]") -> list[str]:
        """Return a row for each: its name, elapsed time, current call and task."""
        doing = {
            id(worker): action(call.tool_name, call.tool_args, self._say)
            for call in running
            if (worker := self._find(call)) is not None
        }
        rows: list[str] = []
        for worker in self._workers:
            now = doing.get(id(worker), "")
            parts = [worker.label, seconds(now_s - worker.began_s)]
            parts += [now] if now else []
            parts.append(_first_line(worker.task))
            rows.append(f"{AGENT} " + f" {DOT} ".join(parts))
        return rows

    def _finish_step(self, result: "ToolResultEvent") -> None:
        for worker in self._workers:
            if result.subagent_id not in {None, worker.id}:
                continue
            for step in worker.steps:
                if step.result is None and step.call.tool_call_id == result.tool_call_id:
                    step.result = replace(result, result=brief_of(result, self._say), artifacts=[])
                    return

    def _background_line(self, event: "SubAgentEvent", look: TerminalStyle) -> Text:
        task_id = one_line(event.subagent_id or "")
        name, task = one_line(event.name), one_line(event.task)
        number = self._folded.keep(FoldedTask(event.subagent_id, event.name, event.task))
        tag = number_tag(number, look)
        told = f"{AGENT} {self._say('subagent_background', name=name, id=task_id)} {DOT} {task}"
        room = _BACKGROUND_LINES_MAX * look.room_cells - cell_len(tag)
        return Text(cut(told, room) + tag, style="dim")

    def unfinished_lines(self, now_s: float, look: TerminalStyle) -> list[Text]:
        """Return a line for each task that the end of the run cut off."""
        reason = self._say("call_unfinished")
        left = [*self._interrupted, *self._workers]
        self._interrupted.clear()
        self._workers.clear()
        return [self._end_line(one, FAILED, reason, now_s - one.began_s, look) for one in left]

    def _make_worker(self, event: "SubAgentEvent") -> _Worker:
        name = self._names.find(event.subagent_id)
        label = one_line(event.name) if name is None else name.label
        return _Worker(event.subagent_id, event.name, label, event.task, event.timestamp)

    def _finish(self, event: "SubAgentEvent", look: TerminalStyle) -> list[Text]:
        worker = next((one for one in self._workers if _is_task(one, event)), None)
        if worker is None:
            worker = self._make_worker(event)
        else:
            self._workers.remove(worker)
        worker.report = worker.report or event.reason
        worked_s = event.timestamp - worker.began_s
        if event.duration_ms is not None:
            # Without its waits for a person, and with what it did before them.
            worked_s = event.duration_ms / _MS
        if event.phase == "finished":
            return [self._end_line(worker, OK, "", worked_s, look)]
        reason = self._say.translate(one_line(worker.report))
        return [self._end_line(worker, FAILED, reason, worked_s, look)]

    def _end_line(
        self, worker: _Worker, icon: str, reason: str, worked_s: float, look: TerminalStyle
    ) -> Text:
        end = f" {DOT} {duration(max(0, round(worked_s * _MS)))}"
        if worker.calls:
            end = f" {DOT} {self._say('subagent_calls', count=worker.calls)}{end}"
        item = FoldedTask(
            worker.id, worker.label, worker.task, steps=worker.steps, report=worker.report
        )
        self._ended.append(item)
        text = f" {worker.label}: {_first_line(worker.task)}"
        end += number_tag(self._folded.keep(item), look)
        least = cell_len(worker.label) + 4
        # On a narrow terminal it takes two lines, less what wrapping between words leaves free.
        room = look.room_cells if look.room_cells >= _WIDE_CELLS else 2 * look.room_cells - 12
        if reason:
            left = max(room // 3, room - 1 - least - cell_len(end))
            end = cut(f" {DOT} {reason}", min(left, room // 2)) + end
        line = Text().append(icon, style=ICON_STYLES[icon])
        # Who it was is never cut off: what does not fit beside it is wrapped.
        text = cut(text, max(least, room - 1 - cell_len(end)))
        return line.append(text).append(end, style="dim")


def _first_line(task: str) -> str:
    """Name a task: what is below its first line is in the unfolded one."""
    return one_line(task.strip().partition("\n")[0])


def _is_task(one: _Worker, event: "SubAgentEvent") -> bool:
    return (one.id, one.name, one.task) == (event.subagent_id, event.name, event.task)


def _is_of_call(one: _Worker | FoldedTask, call: "ToolCallEvent") -> bool:
    """Say whether a call gave this task, whose id is the call's key, and a number behind it."""
    if one.id is None:
        args = call.tool_args
        return (one.name, one.task) == (args.get("subagent_type"), args.get("description"))
    key = f":{call.tool_call_id}"
    return one.id.endswith(key) or _STEP.sub("", one.id).endswith(key)
