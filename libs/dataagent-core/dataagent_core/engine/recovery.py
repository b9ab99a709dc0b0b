"""What a crash left behind, worked out from the run's events and its checkpoint. Pure.

The log and the checkpoint are two stores. The log may hold text of a model call that the
checkpoint never saw finish: it is void, and the model is asked again. The checkpoint may hold a
message whose final text the log never saw: it is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage

from dataagent_core.engine.streaming import final_events
from dataagent_core.events import (
    Event,
    HITLRequestEvent,
    RunResumedEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """How to go on: which attempt this is, what is void, what to add."""

    attempt: int
    discard_after: int
    missing: list[Event]


def recover(events: Sequence[Event], answers: Sequence[AIMessage], run_id: str) -> Recovery:
    """Compare a run's events with what the checkpoint holds of the model's answers."""
    facts = [event for message in answers for event in final_events(message, run_id)]
    void = _void(events, {event.event_id for event in facts})
    known = {event.event_id for event in events}
    last = events[-1].seq or 0 if events else 0
    return Recovery(
        attempt=2 + sum(isinstance(event, RunResumedEvent) for event in events),
        discard_after=min((event.seq or 0 for event in void), default=last + 1) - 1,
        missing=[event for event in facts if event.event_id not in known],
    )


def _void(events: Sequence[Event], kept: set[str | None]) -> list[Event]:
    """List the events whose work will be done again and that no earlier attempt voided."""
    open_pieces: list[Event] = []
    open_calls: dict[str, Event] = {}
    for event in events:
        match event:
            case RunResumedEvent():
                open_pieces = []
                open_calls = {}
            case TextEvent() | ThoughtEvent() if event.event_id in kept:
                open_pieces = []
                open_calls = {}
            case TextEvent() | ThoughtEvent():
                open_pieces.append(event)
            case ToolCallEvent():
                open_calls[event.tool_call_id] = event
                # A call, or a question about one, follows only a finished message.
                open_pieces = []
            case HITLRequestEvent():
                open_pieces = []
            case ToolResultEvent():
                open_calls.pop(event.tool_call_id, None)
            case _:
                pass
    return [*open_pieces, *open_calls.values()]
