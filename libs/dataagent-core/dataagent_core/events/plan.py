"""The plan and its steps, from the plain to-do list to S2's work plan.

Steps are numbered from 1, in every event and on every wire. S2 §12.2 shows a 0 in one example and
numbers that people read elsewhere (§6.4.3); people count from 1.
"""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent

# S2 §4.2.1.
PlanStatusName = Literal["planning", "in_progress", "completed", "failed", "timeout", "fallback"]
# The stages of a staged loop (S3).
StageName = Literal["reason", "plan", "execute", "review"]
PlanChange = Literal["made", "edited", "replanned", "reviewed", "moved_on", "ended"]
StepEndStatus = Literal["completed", "failed", "skipped", "timeout"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TodoUpdateEvent(ExecutionEvent):
    """The whole to-do list as it now stands."""

    event_type: Literal["todo_update"] = "todo_update"
    todos: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkPlanEvent(ExecutionEvent):
    """A work plan as it now stands, with all its steps: it was made, changed, or moved on.

    `version` counts the changes of one plan from 1. `step_start` and `step_end` say how its steps
    go and change no version. `current_step_index` is a position in `steps` and counts from 0; step
    numbers count from 1 and are never given again.
    """

    event_type: Literal["work_plan"] = "work_plan"
    plan_id: str = ""
    steps: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    total_steps: int = 0
    version: int = 1
    status: PlanStatusName = "in_progress"
    current_step_index: int = 0
    # Set where the loop of the run is staged; `round` counts the reviews that sent work back.
    stage: StageName | None = None
    round: int = 0
    change: PlanChange = "made"
    by: str | None = None
    reason: str = ""
    interaction_pattern_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StepStartEvent(ExecutionEvent):
    """A step of the plan begins. Steps are numbered from 1."""

    event_type: Literal["step_start"] = "step_start"
    step_number: int = 0
    description: str = ""
    plan_id: str = ""
    # The sub-agent that works on it; empty: the agent itself.
    agent: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class StepEndEvent(ExecutionEvent):
    """A step of the plan ended."""

    event_type: Literal["step_end"] = "step_end"
    step_number: int = 0
    success: bool = True
    duration_ms: int | None = None
    plan_id: str = ""
    status: StepEndStatus = "completed"
    # What came of it, or why there is nothing, shortened.
    result: str = ""
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    cost: float | None = None
    currency: str = "USD"


@dataclass(frozen=True, kw_only=True, slots=True)
class StepFinishEvent(ExecutionEvent):
    """What one model turn used; an unknown price is `None`, never 0."""

    event_type: Literal["step_finish"] = "step_finish"
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    cost: float | None = None
    currency: str = "USD"
