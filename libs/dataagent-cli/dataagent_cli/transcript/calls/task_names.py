"""Names for the tasks of sub-agents, so that two tasks of one sub-agent can be told apart. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import one_line
from dataagent_core.events import RunStartedEvent, SubAgentEvent

if TYPE_CHECKING:
    from dataagent_core.events import Event


@dataclass(frozen=True, slots=True)
class TaskName:
    """The sub-agent of a task, numbered from its second task in a run on, and the task."""

    label: str
    task: str


class TaskNames:
    """The tasks of the current run, by their ids."""

    def __init__(self) -> None:
        self._names: dict[str, TaskName] = {}
        self._counts: dict[str, int] = {}

    def see(self, event: "Event") -> None:
        """Name a task that begins; one that goes on after a wait keeps its name."""
        match event:
            case RunStartedEvent():
                self._names.clear()
                self._counts.clear()
            case SubAgentEvent(phase="started", subagent_id=str(task_id)):
                if task_id not in self._names:
                    number = self._counts[event.name] = self._counts.get(event.name, 0) + 1
                    label = one_line(event.name) + (f" ({number})" if number > 1 else "")
                    self._names[task_id] = TaskName(label, one_line(event.task))
            case _:
                pass

    def find(self, task_id: str | None) -> TaskName | None:
        """Return the name of a task; None for the agent itself, or where the task is not known."""
        return None if task_id is None else self._names.get(task_id)
