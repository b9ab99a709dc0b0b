"""A work plan from its events. Pure.

The newest version says what the steps are. That a step began and how it ended are facts, which no
version takes back: they count whether they were logged before or after it. A plan that its run left
open, because the run was stopped or failed, is over with the run.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from dataagent_core.events import DoneEvent, Event, StepEndEvent, StepStartEvent, WorkPlanEvent
from dataagent_core.planning.plan_end import end_plan
from dataagent_core.planning.work_plan import OPEN, PlanStatus, PlanStep, StepStatus, WorkPlan

# The events that a plan is made from.
PLAN_EVENT_TYPES = ("work_plan", "step_start", "step_end", "done")


@dataclass(slots=True)
class PlanFacts:
    """What the log says of one plan so far."""

    newest: WorkPlanEvent | None = None
    created_s: float = 0.0
    updated_s: float = 0.0
    begun: set[int] = field(default_factory=set[int])
    ended: dict[int, StepEndEvent] = field(default_factory=dict[int, StepEndEvent])
    # The end of the plan's run.
    done: DoneEvent | None = None

    def add(self, event: Event) -> None:
        """Add the next event of the plan."""
        match event:
            case WorkPlanEvent():
                self.created_s = self.created_s or event.timestamp
                if self.newest is None or event.version > self.newest.version:
                    self.newest = event
            case StepStartEvent():
                self.begun.add(event.step_number)
            case StepEndEvent():
                self.ended.setdefault(event.step_number, event)
            case DoneEvent():
                # That its run ended changes no plan that was over before.
                self.done = event
                return
            case _:
                return
        self.updated_s = event.timestamp

    def make_plan(self) -> WorkPlan | None:
        """Make the plan as it stands."""
        event = self.newest
        if event is None:
            return None
        plan = WorkPlan(
            id=event.plan_id,
            conversation_id=event.session_id or "",
            status=PlanStatus(event.status),
            steps=tuple(self._apply_facts(PlanStep.from_dict(step)) for step in event.steps),
            interaction_pattern_id=event.interaction_pattern_id,
            version=event.version,
            stage=event.stage,
            round=event.round,
            created_at=datetime.fromtimestamp(self.created_s, UTC),
            updated_at=datetime.fromtimestamp(self.updated_s, UTC),
        )
        if self.done is None or not plan.is_open:
            return plan
        return end_plan(plan, completed=self.done.reason == "completed")

    def _apply_facts(self, step: PlanStep) -> PlanStep:
        ended = self.ended.get(step.step_number)
        if ended is not None:
            return replace(
                step,
                status=StepStatus(ended.status),
                result=ended.result,
                execution_time_ms=ended.duration_ms,
            )
        if step.step_number in self.begun and step.status in OPEN:
            return replace(step, status=StepStatus.IN_PROGRESS)
        return step


def fold_plan(events: Iterable[Event], plan_id: str | None = None) -> WorkPlan | None:
    """Make the plan of that id from a session's events, or the newest plan of the session."""
    plans: dict[str, PlanFacts] = {}
    newest = plan_id
    for event in events:
        if isinstance(event, WorkPlanEvent | StepStartEvent | StepEndEvent):
            plans.setdefault(event.plan_id, PlanFacts()).add(event)
            if plan_id is None and isinstance(event, WorkPlanEvent):
                newest = event.plan_id
        elif isinstance(event, DoneEvent) and event.run_id in plans:
            plans[event.run_id].add(event)
    return plans[newest].make_plan() if newest is not None and newest in plans else None
