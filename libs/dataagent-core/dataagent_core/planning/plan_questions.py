"""What a person is asked about a plan by itself (S2 §6.4), and what an answer changes. Pure.

Before a plan is carried out: a clarification, if it has many steps, the message has vague words, or
the planner is unsure. Before a step: a decision, at a branch the planner saw, for a tool whose use
is to be confirmed, and where it would take very long or read very much. All of them are optional:
without an answer the recommended option counts.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dataagent_core.config.limits.planning import PLAN_STEPS_MAX, STEP_TEXT_CHARS_MAX
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.permissions.tool_groups import GROUPS
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.planning.work_plan import PlanStatus, PlanStep, StepStatus, WorkPlan

# What faces go by that show a plan in their own way, and its options in another language.
PLAN_QUESTION: Final = "work_plan"
GO_AHEAD: Final = "Go ahead"
ADD_CHECK: Final = "Add a check first"
NO_PLAN: Final = "Work without a plan"
CONTINUE: Final = "Continue"
SKIP_STEP: Final = "Skip this step"
CHECK_STEP: Final = "Check that everything the plan needs is there: data, files, access, tools"


_OPTIONS: Final = {
    option.casefold(): option for option in (GO_AHEAD, ADD_CHECK, NO_PLAN, CONTINUE, SKIP_STEP)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuestion:
    """A question before a step."""

    decision_type: str
    context: str
    options: tuple[Mapping[str, Any], ...]


def list_doubts(
    steps: Collection[PlanStep], confidence: float, vague: Collection[str], terms: PlanTerms
) -> list[str]:
    """List why a plan should be put to a person; empty where nobody is to be asked."""
    if not terms.ask:
        return []
    settings = terms.settings
    doubts: list[str] = []
    if len(steps) > settings.plan_ask_steps:
        doubts.append(f"{len(steps)} steps")
    if vague and settings.plan_ask_vague_words:
        doubts.append(f"vague: {', '.join(vague)}")
    if confidence < settings.plan_ask_confidence:
        doubts.append(f"confidence {confidence:.0%}")
    return doubts


def make_plan_options(plan: WorkPlan) -> list[dict[str, Any]]:
    """List the ways to answer the question about a plan."""
    has_room = len(plan.steps) < PLAN_STEPS_MAX
    return [
        _option(GO_AHEAD, "Carry the plan out as it is.", recommended=True),
        *([_option(ADD_CHECK, "First check that what it needs is there.")] if has_room else []),
        _option(NO_PLAN, "Answer without a plan."),
    ]


def read_option(answer: str) -> str:
    """Return the option that a typed answer means; own words of a person stay as they are."""
    typed = " ".join(answer.split()).rstrip(".!\u3002\uff01").casefold()
    return _OPTIONS.get(typed, answer)


def apply_plan_answer(plan: WorkPlan, answer: str) -> WorkPlan:
    """Return the plan after the answer to its question; free text is for the planner to read."""
    started = replace(plan, status=PlanStatus.IN_PROGRESS, version=plan.version + 1)
    if answer == NO_PLAN:
        return replace(started, status=PlanStatus.FALLBACK)
    # Others may have added steps since it was asked.
    if answer == ADD_CHECK and len(plan.steps) < PLAN_STEPS_MAX:
        return _with_check(started)
    return started


def is_free_text(answer: str) -> bool:
    """Say whether a person answered the question about a plan in their own words."""
    return answer not in {GO_AHEAD, ADD_CHECK, NO_PLAN, ""}


def find_step_question(
    step: PlanStep, terms: PlanTerms, data_bytes: int = 0
) -> StepQuestion | None:
    """Return what is to be asked before a step; `data_bytes` are those it is known to read."""
    planned = step.decision
    if planned is not None:
        # What was answered is kept in the step.
        if "answer" in planned:
            return None
        return StepQuestion(
            decision_type=planned["decision_type"],
            context=f"Step {step.step_number}: {planned['context']}",
            options=tuple(planned["options"]),
        )
    settings = terms.settings
    confirmed = _named_tools(settings.plan_confirm_tools).intersection(step.required_tools)
    if confirmed:
        tools = ", ".join(sorted(confirmed))
        return _confirm(step, "confirmation", f"it uses {tools}")
    size = max(step.estimated_bytes or 0, data_bytes)
    if size > settings.plan_risk_bytes:
        amount = _write_size(size)
        return _confirm(step, "risk", f"it reads about {amount}")
    if (step.estimated_duration_ms or 0) > settings.plan_risk_duration_ms:
        minutes = (step.estimated_duration_ms or 0) / 60_000
        return _confirm(step, "risk", f"it may take {minutes:.0f} minutes")
    return None


def apply_step_answer(plan: WorkPlan, step: PlanStep, answer: str) -> WorkPlan:
    """Return the plan after a person decided about a step that has not begun."""
    if answer == SKIP_STEP:
        changed = replace(step, status=StepStatus.SKIPPED, result="A person left it out.")
    else:
        said = "" if answer in {CONTINUE, ""} else f"A person decided: {answer}"
        said = keep_ends(said, STEP_TEXT_CHARS_MAX)
        # What they decided counts more than what the planner thought of.
        prompt = step.thought_prompt[: max(0, STEP_TEXT_CHARS_MAX - len(said) - 1)]
        changed = replace(
            step,
            decision={**(step.decision or {}), "answer": answer},
            thought_prompt=f"{prompt}\n{said}".strip(),
        )
    return replace(plan.with_step(changed), version=plan.version + 1)


def _write_size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"  # noqa: PLR2004 (for the eye)


def _named_tools(names: Collection[str]) -> frozenset[str]:
    return frozenset(tool for name in names for tool in GROUPS.get(name, {name}))


def _confirm(step: PlanStep, kind: str, why: str) -> StepQuestion:
    return StepQuestion(
        decision_type=kind,
        context=f"Step {step.step_number} ({step.description}): {why}. Go on?",
        options=(
            {
                **_option(CONTINUE, "Do this step.", recommended=True),
                "estimated_duration_ms": step.estimated_duration_ms,
            },
            _option(SKIP_STEP, "Go on without it."),
        ),
    )


def _with_check(plan: WorkPlan) -> WorkPlan:
    number = max(step.step_number for step in plan.steps) + 1
    check = PlanStep(
        step_number=number,
        description=CHECK_STEP,
        expected_output="What is missing, if anything",
    )
    behind = tuple(
        replace(step, dependencies=(number,)) if not step.dependencies else step
        for step in plan.steps
    )
    return replace(plan, steps=(check, *behind))


def _option(label: str, description: str, *, recommended: bool = False) -> dict[str, Any]:
    return {"label": label, "description": description, "is_recommended": recommended}
