"""The turns that a workflow takes, its steps as a plan, and what the agent is told. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import tool_call
from pydantic import JsonValue

from dataagent_core.config.limits.planning import STEP_DESCRIPTION_CHARS_MAX
from dataagent_core.engine.loops import plan_messages, plan_notes
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.patterns.workflow.fill_workflow import Values, fill_text
from dataagent_core.patterns.workflow.workflow import (
    PLACE,
    Fixed,
    TextTemplate,
    Workflow,
    walk_args,
)
from dataagent_core.planning.work_plan import PlanStep, WorkPlan

_SHOWN_CHARS_MAX: Final = 80
_HAND_OVER: Final = """\
<workflow-note>
This run began as a workflow, whose calls stand above as yours. It stopped, because something was \
not as in earlier runs: {reason}.
{steps}
What is completed is done: do not repeat it. Go on from here with what the person wants.
</workflow-note>"""


def make_plan_steps(workflow: Workflow, inputs: Values) -> tuple[PlanStep, ...]:
    """Return the steps of the plan that people see."""
    steps: list[PlanStep] = []
    for number, step in enumerate(workflow.steps, start=1):
        first = _find_first_text(step.args, inputs)
        said = f"{step.tool}: {first}" if first else step.tool
        steps.append(
            PlanStep(
                step_number=number,
                description=said[:STEP_DESCRIPTION_CHARS_MAX],
                required_tools=(step.tool,),
                dependencies=steps[-1].dependencies
                if step.is_together
                else (number - 1,)
                if number > 1
                else (),
            )
        )
    return tuple(steps)


def make_calls(
    run_id: str, first: int, calls: Sequence[tuple[str, Mapping[str, JsonValue]]]
) -> AIMessage:
    """Make the turn that calls these steps, the first of which has this number."""
    made = [
        tool_call(name=tool, args=dict(args), id=plan_messages.make_call_id(run_id, first + at))
        for at, (tool, args) in enumerate(calls)
    ]
    return plan_messages.make_turn(run_id, f"workflow:{first}", made)


def make_answer(run_id: str, text: str) -> AIMessage:
    """Make the turn that answers the person."""
    return plan_messages.make_turn(run_id, "workflow:answer", [], text)


def make_hand_over_note(plan: WorkPlan, reason: str) -> str:
    """Tell the agent what was done and what was surprising."""
    steps = plan_notes.list_steps(plan)
    return _HAND_OVER.format(reason=make_prompt_line(reason), steps=steps)


def _find_first_text(args: Mapping[str, object], inputs: Values) -> str:
    """Return the first short text of a call, as people recognise it by."""
    for _, arg in walk_args(args):  # pyright: ignore[reportArgumentType]
        match arg:
            case TextTemplate() if set(arg.names) <= inputs.keys():
                text = fill_text(arg, inputs)
            case Fixed(value=str() as text) if not PLACE.search(text):
                pass
            case _:
                continue
        line = make_prompt_line(text)
        return line if len(line) <= _SHOWN_CHARS_MAX else f"{line[: _SHOWN_CHARS_MAX - 1]}…"
    return ""
