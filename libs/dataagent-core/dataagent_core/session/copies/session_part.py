"""Selects the part of a session for a copy: everything before one message. Pure.

A copy consists of finished runs, because only these can be continued; the part ends before an
unfinished run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.errors import NotFoundError
from dataagent_core.events import Event, RunStartedEvent
from dataagent_core.session.run import RunSummary, summarize_runs
from dataagent_core.session.state import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPart:
    """What is copied, and the runs that are not."""

    messages: Sequence[Message]
    events: Sequence[Event]
    # Both oldest first.
    runs: Sequence[RunSummary]
    left_runs: Sequence[RunSummary]

    @property
    def is_whole(self) -> bool:
        """Whether all runs are copied."""
        return not self.left_runs

    @property
    def stops_at_unfinished(self) -> bool:
        """Whether an unfinished run ends the part."""
        return bool(self.left_runs) and not self.left_runs[0].done


def part_before(
    messages: Sequence[Message], events: Sequence[Event], message_id: str | None
) -> SessionPart:
    """Select what comes before a user message, or up to and including an answer.

    Without a message, all finished runs are selected.
    """
    runs = summarize_runs(events)
    kept = next((n for n, run in enumerate(runs) if not run.done), len(runs))
    if message_id is not None:
        if all(message.message_id != message_id for message in messages):
            raise NotFoundError(f"the session has no message {message_id[:80]!r}.")
        kept = min(kept, _count_runs_before(runs, message_id))
    left = runs[kept:]
    return SessionPart(
        messages=_messages_before(messages, left, message_id),
        events=_events_before(events, left),
        runs=runs[:kept],
        left_runs=left,
    )


def answer_id(run_id: str) -> str:
    """Return the id of the message that is a run's answer."""
    return f"{run_id}:answer"


def _count_runs_before(runs: Sequence[RunSummary], message_id: str) -> int:
    for number, run in enumerate(runs):
        if message_id == run.message_id:
            return number
        if message_id == answer_id(run.run_id):
            return number + 1
    # All runs precede a message whose run never began.
    return len(runs)


def _messages_before(
    messages: Sequence[Message], left: Sequence[RunSummary], message_id: str | None
) -> Sequence[Message]:
    later = {name for run in left for name in (run.message_id, answer_id(run.run_id))}
    for position, message in enumerate(messages):
        if message.message_id in later:
            return messages[:position]
        if message.message_id == message_id and message.role == "user":
            return messages[:position]
    return messages


def _events_before(events: Sequence[Event], left: Sequence[RunSummary]) -> Sequence[Event]:
    if not left:
        return events
    first = left[0].run_id
    for position, event in enumerate(events):
        if isinstance(event, RunStartedEvent) and event.run_id == first:
            return events[:position]
    return events
