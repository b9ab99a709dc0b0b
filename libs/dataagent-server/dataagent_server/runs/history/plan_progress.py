"""What a run's row says of its thoughts and its plan (S2 §13's columns). Pure.

`plan_rows.py` keeps the rows; `dataagent_core.planning` says what a plan is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import JsonValue, TypeAdapter

from dataagent_core.errors import ValidationError
from dataagent_core.events import Event, PatternEvent, ThoughtEvent
from dataagent_core.language.unicode_text import storable
from dataagent_core.planning import PlanStep, StepStatus, WorkPlan, fold_plan
from dataagent_core.planning.plan_check import check_steps
from dataagent_server.runs.limits import PLAN_NUMBER_MAX, THOUGHT_CHARS_MAX

_FAILED: Final = frozenset({StepStatus.FAILED, StepStatus.TIMEOUT})
_STEPS: Final = TypeAdapter(tuple[PlanStep, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProgress:
    """The last thoughts of a run, and how its plan stands."""

    work_level_thought: str | None = None
    task_level_thought: str | None = None
    plan_steps: list[dict[str, JsonValue]] | None = None
    current_step_index: int | None = None
    workflow_pattern_id: str | None = None
    steps_completed: int = 0
    steps_failed: int = 0


def thought_columns(event: Event) -> dict[str, Any]:
    """Return what one event changes in the row of its run, apart from plans."""
    match event:
        case ThoughtEvent(is_final=True):
            shown = storable(event.content[:THOUGHT_CHARS_MAX])
            return {f"{event.level}_level_thought": shown}
        case PatternEvent(mode="used" | "workflow"):
            # One that was offered or hinted at is not what the run works by.
            return {"workflow_pattern_id": event.pattern_id}
        case _:
            return {}


def plan_columns(plan: WorkPlan) -> dict[str, Any]:
    """Return what a plan changes in the row of its run."""
    statuses = [step.status for step in plan.steps]
    columns: dict[str, Any] = {
        "plan_steps": dump_steps(plan.steps),
        "current_step_index": plan.current_step_index,
        "steps_completed": statuses.count(StepStatus.COMPLETED),
        "steps_failed": sum(status in _FAILED for status in statuses),
    }
    if plan.interaction_pattern_id is not None:
        columns["workflow_pattern_id"] = plan.interaction_pattern_id
    return columns


def dump_steps(steps: Sequence[PlanStep]) -> list[dict[str, JsonValue]]:
    """Return steps as they are stored; what is no character cannot be shown later."""
    return [storable(step.to_dict()) for step in steps]


def progress_of(events: Iterable[Event], plan: WorkPlan | None) -> PlanProgress:
    """Return what the row of a run says after these events of it, and with this plan."""
    columns: dict[str, Any] = {}
    for event in events:
        columns |= thought_columns(event)
    return PlanProgress(**columns | ({} if plan is None else plan_columns(plan)))


def read_copied_plan(events: Sequence[Event], run_id: str) -> WorkPlan | None:
    """Return the plan of a copied run, or None where there is none that can be shown.

    A bundle may come from anybody. The pattern stays with the original, where it was counted.
    """
    try:
        plan = fold_plan(events, run_id)
        if plan is None or max(plan.version, abs(plan.round)) > PLAN_NUMBER_MAX:
            return None
        steps = _STEPS.validate_python([step.to_dict() for step in plan.steps], strict=False)
        check_steps(steps)
    except (ValidationError, ValueError, TypeError, AttributeError, OverflowError):
        return None
    return replace(plan, steps=steps, interaction_pattern_id=None)
