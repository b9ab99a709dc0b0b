"""Removes what a resumed run voided from its events. Pure.

After a crash the model is called again, so its text and the calls without a result behind
`discard_after` do not count. Exports and traces of patterns read a log through this.
"""

from collections.abc import Mapping, Sequence

from dataagent_core.events import (
    Event,
    RunResumedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)

# A call by its run, the task of its sub-agent, and its id: some models reuse ids.
CallKey = tuple[str | None, str | None, str]


def remove_void(events: Sequence[Event]) -> list[Event]:
    """Remove the events that a later `resumed` of the same run voided."""
    results = {call_key(e) for e in events if isinstance(e, ToolResultEvent)}
    # A repeated call keeps its id: the result belongs to the later one.
    answered = {
        call_key(e): e.seq
        for e in events
        if isinstance(e, ToolCallEvent) and call_key(e) in results
    }
    kept: list[Event] = []
    for event in events:
        if isinstance(event, RunResumedEvent):
            kept = [one for one in kept if not _is_voided(one, event, answered)]
        kept.append(event)
    return kept


def call_key(event: ToolCallEvent | ToolResultEvent) -> CallKey:
    """Return what connects a call and its result."""
    return event.run_id, event.subagent_id, event.tool_call_id


def _is_voided(
    event: Event, resumed: RunResumedEvent, answered: Mapping[CallKey, int | None]
) -> bool:
    if event.run_id != resumed.run_id or (event.seq or 0) <= resumed.discard_after:
        return False
    if isinstance(event, ToolCallEvent):
        return answered.get(call_key(event)) != event.seq
    return isinstance(event, TextEvent)
