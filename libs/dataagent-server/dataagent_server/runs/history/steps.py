"""Derives S2's five kinds of checkpoint from a run's events. Pure.

A ReAct step is one turn of the model and its calls. Its end shows only when the next turn begins,
or the run is over. The end of a turn without text shows in its calls, made or asked about from a
newer state of the graph than the last known one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dataagent_core.events import (
    DoneEvent,
    Event,
    HITLRequestEvent,
    StepEndEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
    WorkPlanEvent,
)

StepKind = Literal[
    "llm_complete", "tool_start", "tool_complete", "step_complete", "work_plan_created"
]


@dataclass(frozen=True, slots=True)
class RunPosition:
    """The last marker of a run, and the state of the graph it points to."""

    kind: StepKind | None
    checkpoint_id: str | None


@dataclass(frozen=True, slots=True)
class RunStep:
    """A marker to be written: its kind, its event, and its details."""

    kind: StepKind
    event: Event
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    step_number: int | None = None


def may_mark(event: Event) -> bool:
    """Return whether an event can lead to a marker; pieces of a text never do."""
    match event:
        case TextEvent() | ThoughtEvent():
            return event.is_final
        case DoneEvent():
            return event.reason == "completed"
        case (
            HITLRequestEvent()
            | ToolCallEvent()
            | ToolResultEvent()
            | StepEndEvent()
            | WorkPlanEvent()
        ):
            return True
        case _:
            return False


def steps_in(events: Sequence[Event], last: RunPosition, newest: str | None) -> list[RunStep]:
    """List the markers of one append; `newest` is the graph's newest state."""
    steps: list[RunStep] = []
    known = last
    for event in events:
        for step in _find_steps(event, known, newest):
            steps.append(step)
            known = RunPosition(step.kind, newest)
    return steps


def _find_steps(event: Event, last: RunPosition, newest: str | None) -> Iterator[RunStep]:
    match event:
        case TextEvent() | ThoughtEvent() if event.is_final:
            # A turn's thought and its text are one turn.
            if last != RunPosition("llm_complete", newest):
                yield from _make_turn(event, last)
        case HITLRequestEvent():
            yield from _find_silent_turn(event, last, newest)
        case ToolCallEvent():
            yield from _find_silent_turn(event, last, newest)
            named = {"tool_name": event.tool_name, "tool_call_id": event.tool_call_id}
            yield RunStep("tool_start", event, named)
        case ToolResultEvent():
            named = {"tool_name": event.tool_name, "tool_call_id": event.tool_call_id}
            yield RunStep("tool_complete", event, {**named, "status": event.status})
        case StepEndEvent():
            yield RunStep("step_complete", event, {"success": event.success}, event.step_number)
        case WorkPlanEvent():
            planned = {"plan_id": event.plan_id, "total_steps": event.total_steps}
            yield RunStep("work_plan_created", event, planned)
        case DoneEvent(reason="completed") if last.kind not in {None, "step_complete"}:
            yield RunStep("step_complete", event)
        case _:
            return


def _find_silent_turn(event: Event, last: RunPosition, newest: str | None) -> Iterator[RunStep]:
    new_state = last.kind is None or last.checkpoint_id != newest
    if new_state and last.kind not in {"llm_complete", "tool_start"}:
        yield from _make_turn(event, last)


def _make_turn(event: Event, last: RunPosition) -> Iterator[RunStep]:
    if last.kind == "tool_complete":
        yield RunStep("step_complete", event)
    yield RunStep("llm_complete", event)
