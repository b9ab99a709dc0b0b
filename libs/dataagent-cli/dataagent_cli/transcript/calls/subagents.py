"""Sub-agents: one row each while they work, one line when they are done. Pure."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.call_lines import ICON_STYLES, brief_of, seconds
from dataagent_cli.transcript.calls.folded_items import FoldedCall, FoldedItems, number_tag
from dataagent_cli.transcript.calls.tool_line import action, duration
from dataagent_cli.transcript.limits import SUBAGENT_CALLS_KEPT_MAX
from dataagent_cli.transcript.terminal.symbols import AGENT, DOT, FAILED, OK
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import SubAgentEvent, ToolCallEvent, ToolResultEvent

_MS = 1000


@dataclass(slots=True)
class _Worker:
    name: str
    task: str
    began_s: float
    calls: int = 0
    inner: list[str] = field(default_factory=list[str])


class SubAgents:
    """The active sub-agents."""

    def __init__(self, say: Messages, folded: FoldedItems) -> None:
        self._say = say
        self._folded = folded
        self._workers: list[_Worker] = []
        # The call that started a sub-agent has its task; the call's result has its findings.
        self._tasks: dict[str, ToolCallEvent] = {}
        self._results: dict[tuple[str, str], tuple[ToolCallEvent, ToolResultEvent]] = {}

    def add_call(self, call: "ToolCallEvent") -> None:
        """Count a call of a sub-agent, or store the call that starts one."""
        if call.tool_name == "task":
            self._tasks[call.tool_call_id] = call
        alone = [worker for worker in self._workers if worker.name == call.subagent]
        for worker in alone:
            # Two of the same name cannot be distinguished: either may have made the call.
            worker.calls += len(alone) == 1
            if len(alone) == 1 and len(worker.inner) < SUBAGENT_CALLS_KEPT_MAX:
                worker.inner.append(action(call.tool_name, call.tool_args, self._say))

    def add_result(self, result: "ToolResultEvent") -> bool:
        """Say whether a result belongs to an active sub-agent, whose line shows it."""
        call = self._tasks.pop(result.tool_call_id, None)
        if call is None:
            return False
        args = call.tool_args
        key = str(args.get("subagent_type", "")), str(args.get("description", ""))
        self._results[key] = call, result
        return any((worker.name, worker.task) == key for worker in self._workers)

    def follow(self, event: "SubAgentEvent", look: TerminalStyle) -> list[Text]:
        """Follow a sub-agent; return its line when it is done."""
        match event.phase:
            case "assigned":
                return []
            case "started":
                self._workers.append(_Worker(event.name, event.task, event.timestamp))
                return []
            case "finished" | "failed":
                return self._finish(event, look)

    def is_alone(self, name: str) -> bool:
        """Say whether exactly one active sub-agent has this name: then its row shows its calls."""
        return sum(worker.name == name for worker in self._workers) == 1

    def forget(self) -> None:
        self._workers.clear()
        self._tasks.clear()
        self._results.clear()

    def rows(self, now_s: float, doing: dict[str, str]) -> list[str]:
        """Return a row for each: its name, elapsed time, current call and task."""
        rows: list[str] = []
        for worker in self._workers:
            now = doing.get(worker.name, "") if self.is_alone(worker.name) else ""
            parts = [one_line(worker.name), seconds(now_s - worker.began_s)]
            parts += [now] if now else []
            parts.append(one_line(worker.task))
            rows.append(f"{AGENT} " + f" {DOT} ".join(parts))
        return rows

    @property
    def names(self) -> list[str]:
        return [worker.name for worker in self._workers]

    def _finish(self, event: "SubAgentEvent", look: TerminalStyle) -> list[Text]:
        found = [w for w in self._workers if (w.name, w.task) == (event.name, event.task)]
        worker = found[0] if found else _Worker(event.name, event.task, event.timestamp)
        if found:
            self._workers.remove(worker)
        icon = FAILED if event.phase == "failed" else OK
        time = duration(max(0, round((event.timestamp - worker.began_s) * _MS)))
        end = f" {DOT} {time}"
        if worker.calls:
            end = f" {DOT} {self._say('subagent_calls', count=worker.calls)}{end}"
        made = self._results.pop((event.name, event.task), None)
        text = f" {one_line(event.name)}: {one_line(event.task)}"
        if made is not None:
            end += number_tag(self._folded.keep(FoldedCall(*made, inner=worker.inner)), look)
            if icon == FAILED:
                why = one_line(brief_of(made[1], self._say))
                end = cut(f" {DOT} {why}", look.room_cells // 2) + end
        line = Text().append(icon, style=ICON_STYLES[icon])
        return [
            line.append(cut(text, look.room_cells - 1 - cell_len(end))).append(end, style="dim")
        ]
