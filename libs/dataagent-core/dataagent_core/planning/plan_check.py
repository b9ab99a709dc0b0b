"""Checks that the steps of a plan, a model's or a person's, can be carried out. Pure."""

from collections.abc import Collection, Sequence

from dataagent_core.config.limits.planning import (
    PLAN_DEPENDENCIES_MAX,
    PLAN_STEPS_MAX,
    STEP_DESCRIPTION_CHARS_MAX,
    STEP_NAME_CHARS_MAX,
    STEP_NAMES_MAX,
    STEP_TEXT_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.planning.work_plan import PlanStep


def check_steps(steps: Sequence[PlanStep], agents: Collection[str] | None = None) -> None:
    """Raise a `ValidationError` that names the first problem and the way out.

    `agents`: the names that a step may be assigned to; None: any.
    """
    if len(steps) > PLAN_STEPS_MAX:
        raise ValidationError(
            f"a plan has at most {PLAN_STEPS_MAX} steps, and this one has {len(steps)}: join some."
        )
    numbers = [step.step_number for step in steps]
    for step in steps:
        _check_step(step, numbers, agents)
    if len(set(numbers)) != len(numbers):
        raise ValidationError(f"every step needs a number of its own, and these repeat: {numbers}.")
    cycle = _find_cycle(steps)
    if cycle:
        way = " > ".join(str(number) for number in cycle)
        raise ValidationError(
            f"the steps {way} wait for each other, so none of them can begin: remove one of these "
            "dependencies."
        )


def _check_step(step: PlanStep, numbers: list[int], agents: Collection[str] | None) -> None:
    name = f"step {step.step_number}"
    if step.step_number < 1:
        raise ValidationError(f"{name}: steps are numbered from 1.")
    if not step.description.strip():
        raise ValidationError(f"{name} has no description: say what it does.")
    _check_length(step.description, STEP_DESCRIPTION_CHARS_MAX, f"the description of {name}")
    _check_length(step.thought_prompt, STEP_TEXT_CHARS_MAX, f"thought_prompt of {name}")
    _check_length(step.expected_output, STEP_TEXT_CHARS_MAX, f"expected_output of {name}")
    if len(step.dependencies) > PLAN_DEPENDENCIES_MAX:
        raise ValidationError(
            f"{name} depends on {len(step.dependencies)} steps; at most {PLAN_DEPENDENCIES_MAX}."
        )
    for names in (step.required_tools, step.required_skills, (step.assigned_agent,)):
        if len(names) > STEP_NAMES_MAX:
            raise ValidationError(f"{name} names {len(names)} tools; at most {STEP_NAMES_MAX}.")
        for each in names:
            _check_length(each, STEP_NAME_CHARS_MAX, f"a name in {name}")
    for number in step.dependencies:
        if number not in numbers or number == step.step_number:
            raise ValidationError(
                f"{name} depends on step {number}, which is no other step of the plan. Steps: "
                f"{', '.join(map(str, numbers))}."
            )
    if agents is not None and step.assigned_agent and step.assigned_agent not in agents:
        known = ", ".join(sorted(agents)) or "none"
        raise ValidationError(
            f"{name} is assigned to {step.assigned_agent!r}, which is no sub-agent. Known: {known}."
        )


def _check_length(text: str, chars_max: int, what: str) -> None:
    if len(text) > chars_max:
        raise ValidationError(f"{what} has {len(text)} characters; at most {chars_max}.")


def _find_cycle(steps: Sequence[PlanStep]) -> list[int]:
    """Return the numbers of steps that wait for each other, the first one again at the end."""
    needs = {step.step_number: step.dependencies for step in steps}
    left = dict(needs)
    while free := [number for number, wanted in left.items() if not set(wanted) & left.keys()]:
        for number in free:
            del left[number]
    if not left:
        return []
    # Every step that is left waits for one that is left: following them must come back.
    way = [next(iter(left))]
    while way.count(way[-1]) == 1:
        way.append(next(number for number in left[way[-1]] if number in left))
    return way[way.index(way[-1]) :]
