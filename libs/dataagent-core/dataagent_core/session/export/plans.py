"""The work plans of a session, for a reader: each step with what came of it. Pure.

What an event holds is written as it is found: an imported one may hold anything.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from dataagent_core.events import Event, StepEndEvent, StepStartEvent, WorkPlanEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedStep:
    """One step of a plan."""

    number: str
    text: str
    status: str
    # The sub-agent that it was given to.
    agent: str = ""
    result: str = ""

    @property
    def outcome(self) -> str:
        """How it stands, and whose work it is."""
        status = self.status.replace("_", " ")
        return f"{status}, {self.agent}" if self.agent else status


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedPlan:
    """A plan as it stands."""

    status: str
    # Why there is none, or why it was changed last.
    reason: str
    steps: tuple[ExportedStep, ...]


@dataclass(slots=True)
class _PlanEvents:
    newest: WorkPlanEvent | None = None
    started: dict[int, StepStartEvent] = field(default_factory=dict[int, StepStartEvent])
    ended: dict[int, StepEndEvent] = field(default_factory=dict[int, StepEndEvent])


def collect_plans(events: Iterable[Event]) -> dict[str, ExportedPlan]:
    """Return the plans of a session by the runs that carry them out."""
    found: dict[str, _PlanEvents] = {}
    for event in events:
        if not isinstance(event, WorkPlanEvent | StepStartEvent | StepEndEvent):
            continue
        known = found.setdefault(event.plan_id, _PlanEvents())
        match event:
            case WorkPlanEvent():
                if known.newest is None or event.version > known.newest.version:
                    known.newest = event
            case StepStartEvent():
                known.started.setdefault(event.step_number, event)
            case StepEndEvent():
                known.ended.setdefault(event.step_number, event)
    return {
        plan_id: _make_plan(known.newest, known)
        for plan_id, known in found.items()
        if known.newest is not None
    }


def _make_plan(newest: WorkPlanEvent, known: _PlanEvents) -> ExportedPlan:
    steps = tuple(_make_step(step, known) for step in newest.steps)
    return ExportedPlan(status=newest.status, reason=newest.reason, steps=steps)


def _make_step(step: Mapping[str, JsonValue], known: _PlanEvents) -> ExportedStep:
    number = step.get("step_number")
    key = number if isinstance(number, int) else 0
    started, ended = known.started.get(key), known.ended.get(key)
    agent = started.agent if started is not None else ""
    status = str(step.get("status") or "pending")
    if ended is not None:
        status = ended.status
    elif started is not None and status == "pending":
        status = "in_progress"
    return ExportedStep(
        number=str(number or ""),
        text=str(step.get("description") or ""),
        status=status,
        agent=agent or str(step.get("assigned_agent") or ""),
        result=str(step.get("result") or "") if ended is None else ended.result,
    )
