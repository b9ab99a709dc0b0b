"""How far a workflow has come: what came of each of its calls, as the log says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage, ToolMessage
from pydantic import JsonValue

from dataagent_core.engine.loops import plan_messages
from dataagent_core.events import ToolResultEvent
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.patterns.workflow.fill_workflow import take_values
from dataagent_core.patterns.workflow.result_shape import find_difference, read_shape, result_text
from dataagent_core.patterns.workflow.workflow import Workflow, WorkflowStep
from dataagent_core.session import EventLog, Run, read_all
from dataagent_core.tools.pipeline.outcome import BY_PERSON_KEY


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowState:
    """Where a run of a workflow stands."""

    # The number of the next step, from 1; one more than there are: all are over.
    next_step: int
    # Inputs, and what was taken from results.
    values: Mapping[str, JsonValue]
    # What the steps returned, by their numbers.
    results: Mapping[int, str]
    # Why it cannot go on; empty: nothing was surprising.
    surprise: str = ""


async def read_results(log: EventLog, run: Run, since: int) -> dict[int, ToolResultEvent]:
    """Read the results of the workflow's calls, by the numbers of their steps."""
    events = await read_all(
        log, run.session_id, after=since, run_id=run.run_id, types=("tool_result",)
    )
    results: dict[int, ToolResultEvent] = {}
    for event in events:
        if isinstance(event, ToolResultEvent) and event.subagent_id is None:
            number = plan_messages.find_step_number(event.tool_call_id, run.run_id)
            if number is not None:
                results[number] = event
    return results


def follow(
    workflow: Workflow, inputs: Mapping[str, JsonValue], results: Mapping[int, ToolResultEvent]
) -> WorkflowState:
    """Compare the results with what is expected, in the order of the steps. Pure."""
    values: dict[str, JsonValue] = dict(inputs)
    texts: dict[int, str] = {}
    for number, step in enumerate(workflow.steps, start=1):
        result = results.get(number)
        if result is None:
            return WorkflowState(next_step=number, values=values, results=texts)
        texts[number] = result_text(result.result)
        taken = take_values(step, texts[number])
        surprise = _find_surprise(step, result, taken)
        if surprise:
            said = f"step {number}, {step.tool}: {surprise}"
            return WorkflowState(next_step=number, values=values, results=texts, surprise=said)
        values |= taken
    return WorkflowState(next_step=len(workflow.steps) + 1, values=values, results=texts)


def find_changed_call(messages: Sequence[AnyMessage], run_id: str) -> str:
    """Say which call a person changed or answered; empty where none."""
    for message in messages:
        if isinstance(message, ToolMessage) and message.additional_kwargs.get(BY_PERSON_KEY):
            number = plan_messages.find_step_number(message.tool_call_id, run_id)
            if number is not None:
                return f"step {number}, {message.name}: a person changed or refused the call"
    return ""


def _find_surprise(
    step: WorkflowStep, result: ToolResultEvent, taken: Mapping[str, JsonValue]
) -> str:
    if result.status != "success":
        return "the call failed"
    difference = find_difference(step.expect, read_shape(result.result, result.receipt))
    if difference:
        return make_prompt_line(difference)
    missing = [name for name in step.takes if name not in taken]
    return f"its result has no {', '.join(missing)}" if missing else ""
