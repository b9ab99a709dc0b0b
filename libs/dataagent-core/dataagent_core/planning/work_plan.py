"""`WorkPlan` and `PlanStep` (S2 §4.2): the values, and how an event carries them. Pure.

The log is what is true of a plan: `plan_projection.py` makes one from its events.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Self

from dataagent_core.events import WorkPlanEvent
from dataagent_core.events.plan import PlanChange, StageName


class PlanStatus(Enum):
    """How a plan stands; with `TIMEOUT` and `FALLBACK` the run works without one."""

    PLANNING = "planning"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    # No plan came in time.
    TIMEOUT = "timeout"
    # What came was no plan that can be carried out, or a person wants none.
    FALLBACK = "fallback"


class StepStatus(Enum):
    """How a step stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"
    # It took longer than a step may.
    TIMEOUT = "timeout"


OPEN: frozenset[StepStatus] = frozenset({StepStatus.PENDING, StepStatus.IN_PROGRESS})
_UNSUCCESSFUL: frozenset[StepStatus] = frozenset({StepStatus.FAILED, StepStatus.TIMEOUT})

# When a plan was made that no log holds yet.
_NEVER = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanStep:
    """One step of a plan. Its number counts from 1, and no other step of the plan ever has it."""

    step_number: int
    description: str
    thought_prompt: str = ""
    required_tools: tuple[str, ...] = ()
    required_skills: tuple[str, ...] = ()
    expected_output: str = ""
    # The sub-agent that works on it; empty: whoever is free, or the agent itself.
    assigned_agent: str = ""
    # Numbers of the steps whose results it needs.
    dependencies: tuple[int, ...] = ()
    # What the planner expects of it; a large one is a risk that a person is asked about.
    estimated_duration_ms: int | None = None
    estimated_bytes: int | None = None
    # A choice that a person should make before it begins: a question and its options.
    decision: Mapping[str, Any] | None = None
    status: StepStatus = StepStatus.PENDING
    result: str | None = None
    execution_time_ms: int | None = None

    @property
    def failed(self) -> bool:
        """Whether it ended without success."""
        return self.status in _UNSUCCESSFUL

    def to_dict(self) -> dict[str, Any]:
        """Return the step as an event carries it."""
        return {
            **asdict(self),
            "required_tools": list(self.required_tools),
            "required_skills": list(self.required_skills),
            "dependencies": list(self.dependencies),
            "decision": None if self.decision is None else dict(self.decision),
            "status": self.status.value,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a step of an event; what it does not name has its default."""
        names = {field.name for field in fields(cls)}
        known = {name: value for name, value in data.items() if name in names}
        for name in ("required_tools", "required_skills", "dependencies"):
            known[name] = tuple(known.get(name) or ())
        known["status"] = StepStatus(known.get("status", "pending"))
        return cls(**known)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkPlan:
    """The plan of one run."""

    # The id of the run that carries it out: a run has one plan at most.
    id: str
    conversation_id: str
    status: PlanStatus = PlanStatus.IN_PROGRESS
    steps: tuple[PlanStep, ...] = ()
    interaction_pattern_id: str | None = None
    # Counts the changes of steps and status, from 1.
    version: int = 1
    stage: StageName | None = None
    round: int = 0
    created_at: datetime = _NEVER
    updated_at: datetime | None = None

    @property
    def current_step_index(self) -> int:
        """The position of the step that is worked on, or else of the first one that is open."""
        for wanted in (StepStatus.IN_PROGRESS, StepStatus.PENDING):
            for position, step in enumerate(self.steps):
                if step.status is wanted:
                    return position
        return len(self.steps)

    @property
    def is_open(self) -> bool:
        """Whether it is still being made or carried out."""
        return self.status in {PlanStatus.PLANNING, PlanStatus.IN_PROGRESS}

    def find(self, step_number: int) -> PlanStep | None:
        """Return the step of a number."""
        return next((step for step in self.steps if step.step_number == step_number), None)

    def with_step(self, changed: PlanStep) -> "WorkPlan":
        """Return the plan with a step replaced."""
        return replace(
            self,
            steps=tuple(changed if s.step_number == changed.step_number else s for s in self.steps),
        )

    def to_event(
        self, change: PlanChange, by: str | None = None, reason: str = ""
    ) -> WorkPlanEvent:
        """Make the event of this version; its id makes it the only one of that number."""
        return WorkPlanEvent(
            event_id=f"plan:{self.id}:{self.version}",
            plan_id=self.id,
            steps=[step.to_dict() for step in self.steps],
            total_steps=len(self.steps),
            version=self.version,
            status=self.status.value,
            current_step_index=self.current_step_index,
            stage=self.stage,
            round=self.round,
            change=change,
            by=by,
            reason=reason,
            interaction_pattern_id=self.interaction_pattern_id,
        )
