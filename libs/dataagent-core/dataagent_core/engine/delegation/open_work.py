"""What is under way below a sub-agent's task, and its end where the task is cut off.

A run that is cancelled ends all that is open with its `done`. A sub-agent that runs out of time, or
fails, ends alone: what its own calls and sub-agents were doing is cancelled with it, and neither
comes to write down its end. `subagent_run.py` writes it in their place, so that log, journal and
statistics know how each of them ended, and a resumed run does not begin it again.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from langchain_core.messages import ToolMessage

from dataagent_core.events import Event, SubAgentEvent, ToolCallEvent, ToolResultEvent
from dataagent_core.session import Intent, JournalEntry, JournalRecord, Outcome, RunRecorder
from dataagent_core.tools.pipeline.outcome import make_receipt, pack_value, render_result


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A tool call that began."""

    event: ToolCallEvent
    intent: Intent


OpenItem = OpenCall | SubAgentEvent


@dataclass(slots=True)
class OpenWork:
    """The calls and tasks that began and have not ended, in the order in which they began."""

    _items: dict[str, OpenItem] = field(default_factory=dict[str, OpenItem], init=False)
    # The task that delegated, by the task.
    _parents: dict[str, str | None] = field(default_factory=dict[str, str | None], init=False)

    def note(self, events: Sequence[Event], journal: Sequence[JournalRecord]) -> None:
        """Note what begins and what ends with the events and records of one transaction."""
        call = next((event for event in events if isinstance(event, ToolCallEvent)), None)
        for record in journal:
            if isinstance(record, Outcome):
                self._items.pop(record.call_key, None)
            elif call is not None:
                self._items[record.call_key] = OpenCall(call, record)
        for event in events:
            if isinstance(event, SubAgentEvent) and event.subagent_id is not None:
                self._note_task(event, event.subagent_id)

    def take_below(self, task_id: str) -> list[OpenItem]:
        """Return what is open below a task, the innermost first, and forget it."""
        found = [key for key, item in self._items.items() if self._is_below(item, task_id)]
        return [self._items.pop(key) for key in reversed(found)]

    def _note_task(self, event: SubAgentEvent, task_id: str) -> None:
        # A task has the key of the call that gave it.
        key = f"task {task_id}"
        if event.phase == "started":
            self._parents[task_id] = event.parent_id
            self._items[key] = event
        elif event.phase in {"finished", "failed"}:
            self._items.pop(key, None)

    def _is_below(self, item: OpenItem, task_id: str) -> bool:
        above = item.event.subagent_id if isinstance(item, OpenCall) else item.parent_id
        while above is not None and above != task_id:
            above = self._parents.get(above)
        return above == task_id


class TaskRecorder(RunRecorder):
    """A recorder that also notes what is under way; so do its copies for sub-agents."""

    def __init__(self, recorder: RunRecorder, open_work: OpenWork) -> None:
        # The same writer: the order of the events is one for the whole run.
        vars(self).update(vars(recorder))
        self.open_work = open_work

    @classmethod
    def of(cls, recorder: RunRecorder) -> Self:
        """Make one, which shares what is known with the task above."""
        known = recorder.open_work if isinstance(recorder, TaskRecorder) else OpenWork()
        return cls(recorder, known)

    async def commit(self, *events: Event, journal: Sequence[JournalRecord] = ()) -> None:
        """Write as every recorder does."""
        # Before, because a cancelled writer finishes its transaction.
        self.open_work.note([self._mark(event) for event in events], journal)
        await super().commit(*events, journal=journal)


@dataclass(frozen=True, slots=True)
class CutOff:
    """The ends of what a task was cut off with: events and records for one transaction."""

    events: list[Event] = field(default_factory=list[Event])
    journal: list[Outcome] = field(default_factory=list[Outcome])
    # What the rest of this attempt knows of the calls.
    entries: list[JournalEntry] = field(default_factory=list[JournalEntry])


def cut_off(
    items: Sequence[OpenItem],
    run_id: str,
    cause: str,
    end_task: Callable[[SubAgentEvent], SubAgentEvent],
) -> CutOff:
    """Make the ends of calls and tasks; `cause` says in a few words why there is no more."""
    ends = CutOff()
    for item in items:
        if isinstance(item, SubAgentEvent):
            ends.events.append(end_task(item))
            continue
        event, outcome = _end_call(item, cause)
        ends.events.append(event)
        ends.journal.append(outcome)
        entry = JournalEntry(
            run_id=run_id,
            call_key=outcome.call_key,
            tool_name=outcome.tool_name,
            args_hash=item.intent.args_hash,
            payload=outcome.payload,
        )
        ends.entries.append(entry)
    return ends


def _end_call(call: OpenCall, cause: str) -> tuple[ToolResultEvent, Outcome]:
    intent, began = call.intent, call.event
    message = ToolMessage(
        content=f"{intent.tool_name} was cancelled, because {cause}. Nobody knows how much of it "
        "was done by then.",
        name=intent.tool_name,
        tool_call_id=began.tool_call_id,
        status="error",
    )
    receipt = make_receipt(intent.args_hash, message)
    event = ToolResultEvent(
        tool_call_id=began.tool_call_id,
        tool_name=intent.tool_name,
        result=render_result(message),
        status="cancelled",
        duration_ms=max(0, round((time.time() - began.timestamp) * 1000)),
        receipt=receipt,
        subagent_id=began.subagent_id,
    )
    outcome = Outcome(
        call_key=intent.call_key,
        tool_name=intent.tool_name,
        payload=pack_value(message),
        receipt=json.dumps(receipt),
        step_number=intent.step_number,
    )
    return event, outcome
