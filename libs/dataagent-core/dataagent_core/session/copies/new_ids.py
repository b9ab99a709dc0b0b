"""New ids for a copy of a session. Pure.

Every run gets a new id, and so do the messages and events whose ids contain it. The ids of tool
calls stay: they connect calls and results within a conversation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dataagent_core.events import (
    Event,
    FeedbackEvent,
    HITLAnswerEvent,
    RunStartedEvent,
    StepEndEvent,
    StepStartEvent,
    WorkPlanEvent,
)
from dataagent_core.ids import new_id
from dataagent_core.session.log import NO_RUN
from dataagent_core.session.state import Message


@dataclass(frozen=True, slots=True)
class IdMapping:
    """The new ids of runs by their old ones."""

    runs: Mapping[str, str]

    @classmethod
    def of(cls, events: Iterable[Event]) -> "IdMapping":
        """Make new ids for all runs of these events."""
        known = dict.fromkeys(event.run_id or NO_RUN for event in events)
        return cls({run_id: new_id() if run_id != NO_RUN else NO_RUN for run_id in known})

    def run_id(self, old: str | None) -> str:
        """Return the new id of a run."""
        return self.runs[old or NO_RUN]

    def message_id(self, old: str) -> str:
        """Return the new id of a message; one that belongs to no run keeps its id."""
        run_id, colon, rest = old.partition(":")
        return f"{self.runs[run_id]}:{rest}" if colon and run_id in self.runs else old

    def event(self, event: Event) -> Event:
        """Return the event for the copy; the log adds the session and the number."""
        run_id = event.run_id or NO_RUN
        event_id = event.event_id
        if event_id is not None and run_id != NO_RUN:
            event_id = event_id.replace(run_id, self.runs[run_id])
        copy = replace(event, event_id=event_id, session_id=None, run_id=None, seq=None)
        match copy:
            case RunStartedEvent():
                return replace(copy, message_id=self.message_id(copy.message_id))
            case HITLAnswerEvent():
                return _limit_to_once(copy)
            case FeedbackEvent():
                # About a run that is not copied it says nothing any more.
                return replace(copy, target_run_id=self.runs.get(copy.target_run_id, ""))
            case WorkPlanEvent() | StepStartEvent() | StepEndEvent():
                return self._of_plan(copy)
            case _:
                return copy

    def _of_plan(self, copy: WorkPlanEvent | StepStartEvent | StepEndEvent) -> Event:
        # A plan has the id of its run; what a person changed in it is an event of no run.
        old = copy.plan_id
        if not old or old not in self.runs:
            return copy
        event_id = copy.event_id and copy.event_id.replace(old, self.runs[old])
        return replace(copy, plan_id=self.runs[old], event_id=event_id)

    def message(self, message: Message, session_id: str) -> Message:
        """Return the message for the copy."""
        return replace(
            message, message_id=self.message_id(message.message_id), session_id=session_id
        )


def _limit_to_once(answer: HITLAnswerEvent) -> HITLAnswerEvent:
    # "Always in this session" holds for the original session only.
    if answer.decision.get("scope") != "always":
        return answer
    return replace(answer, decision={**answer.decision, "scope": "once"})
