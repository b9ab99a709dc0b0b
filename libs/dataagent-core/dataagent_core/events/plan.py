"""The plan and its steps, from the plain to-do list to S2's work plan."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent


@dataclass(frozen=True, kw_only=True, slots=True)
class TodoUpdateEvent(ExecutionEvent):
    """The whole to-do list as it now stands."""

    event_type: Literal["todo_update"] = "todo_update"
    todos: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkPlanEvent(ExecutionEvent):
    """A work plan was made or changed."""

    event_type: Literal["work_plan"] = "work_plan"
    plan_id: str = ""
    steps: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    total_steps: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class StepStartEvent(ExecutionEvent):
    """A step of the plan begins."""

    event_type: Literal["step_start"] = "step_start"
    step_number: int = 0
    description: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class StepEndEvent(ExecutionEvent):
    """A step of the plan ended."""

    event_type: Literal["step_end"] = "step_end"
    step_number: int = 0
    success: bool = True
    duration_ms: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StepFinishEvent(ExecutionEvent):
    """What one model turn used; an unknown price is `None`, never 0."""

    event_type: Literal["step_finish"] = "step_finish"
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    cost: float | None = None
    currency: str = "USD"
