"""What a person may change in a plan: steps that have not begun. Pure.

Steps keep their numbers: one that is added gets the next free number, and moving one changes only
the order in which steps that could begin do begin.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, assert_never

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.config.limits.planning import PLAN_EDITS_MAX
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.language.unicode_text import storable
from dataagent_core.planning.plan_check import check_steps
from dataagent_core.planning.work_plan import PlanStep, StepStatus, WorkPlan


def _check_text(text: str) -> str:
    """Refuse what no database stores and no model can be sent."""
    if "\0" in text or storable(text) != text:
        raise ValueError("a character of it cannot be stored: take it out")
    return text


_Text = Annotated[str, AfterValidator(_check_text)]


class _StepEdit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EditStep(_StepEdit):
    """Change what a step says; a field that is left out stays as it is."""

    op: Literal["edit"]
    step_number: int
    description: _Text | None = None
    thought_prompt: _Text | None = None
    expected_output: _Text | None = None
    assigned_agent: _Text | None = None
    dependencies: list[int] | None = None


class MoveStep(_StepEdit):
    """Put a step before another one, or at the end."""

    op: Literal["move"]
    step_number: int
    before: int | None = None


class SkipStep(_StepEdit):
    """Leave a step out; those that depend on it go on without its result."""

    op: Literal["skip"]
    step_number: int


class AddStep(_StepEdit):
    """Add a step, before another one or at the end."""

    op: Literal["add"]
    description: _Text
    thought_prompt: _Text = ""
    expected_output: _Text = ""
    assigned_agent: _Text = ""
    dependencies: list[int] = Field(default_factory=list)
    before: int | None = None


PlanEdit = Annotated[EditStep | MoveStep | SkipStep | AddStep, Field(discriminator="op")]

_ADAPTER: TypeAdapter[list[PlanEdit]] = TypeAdapter(
    Annotated[list[PlanEdit], Field(min_length=1, max_length=PLAN_EDITS_MAX)]
)


def read_edits(raw: object) -> list[PlanEdit]:
    """Read edits from JSON values."""
    try:
        return _ADAPTER.validate_python(raw)
    except PydanticValidationError as error:
        raise ValidationError(f"not a change of a plan: {error}") from error


def apply_edits(
    plan: WorkPlan, edits: Sequence[PlanEdit], agents: Collection[str] | None = None
) -> WorkPlan:
    """Return the next version of a plan; all edits apply, or none and the error says why."""
    if not plan.is_open:
        raise ConflictError(
            f"the plan is over ({plan.status.value}), so it cannot be changed. Send a new message."
        )
    if not plan.steps:
        raise ConflictError("the plan is still being made. Change it when it is there.")
    steps = list(plan.steps)
    for edit in edits:
        _apply(edit, steps)
    check_steps(steps, agents)
    return replace(plan, steps=tuple(steps), version=plan.version + 1)


def _apply(edit: PlanEdit, steps: list[PlanStep]) -> None:
    match edit:
        case EditStep():
            position = _find_pending(edit.step_number, steps)
            steps[position] = replace(steps[position], **_changes_of(edit))
        case MoveStep():
            moved = steps.pop(_find_pending(edit.step_number, steps))
            steps.insert(_find_place(edit.before, steps), moved)
        case SkipStep():
            position = _find_pending(edit.step_number, steps)
            steps[position] = replace(steps[position], status=StepStatus.SKIPPED)
        case AddStep():
            added = PlanStep(
                step_number=max((step.step_number for step in steps), default=0) + 1,
                description=edit.description,
                thought_prompt=edit.thought_prompt,
                expected_output=edit.expected_output,
                assigned_agent=edit.assigned_agent,
                dependencies=tuple(edit.dependencies),
            )
            steps.insert(_find_place(edit.before, steps), added)
        case _:
            assert_never(edit)


def _changes_of(edit: EditStep) -> dict[str, Any]:
    given = edit.model_dump(exclude={"op", "step_number"}, exclude_none=True)
    if "dependencies" in given:
        given["dependencies"] = tuple(given["dependencies"])
    if not given:
        raise ValidationError(f"the change of step {edit.step_number} names nothing to change.")
    return given


def _find_pending(step_number: int, steps: Sequence[PlanStep]) -> int:
    position = _find_step(step_number, steps)
    status = steps[position].status
    if status is not StepStatus.PENDING:
        now = "in progress" if status is StepStatus.IN_PROGRESS else status.value
        raise ConflictError(
            f"step {step_number} is {now}, so it cannot be changed. "
            "Change a step that has not begun, or add one."
        )
    return position


def _find_place(before: int | None, steps: Sequence[PlanStep]) -> int:
    return len(steps) if before is None else _find_step(before, steps)


def _find_step(step_number: int, steps: Sequence[PlanStep]) -> int:
    for position, step in enumerate(steps):
        if step.step_number == step_number:
            return position
    known = ", ".join(str(step.step_number) for step in steps)
    raise NotFoundError(f"the plan has no step {step_number}. Steps: {known}.")
