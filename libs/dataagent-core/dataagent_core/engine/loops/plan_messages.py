"""The turns that a plan takes in the model's place. Pure.

A turn is an answer with tool calls, like one of the model's: so approvals, journal, events and
resumption are the same as for every call. Its ids are made from the plan's and the step's numbers,
so a turn that is made again after a crash is the same turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage
from langchain_core.messages.tool import ToolCall, tool_call

from dataagent_core.config.limits.planning import FINISH_RESULT_CHARS_MAX
from dataagent_core.engine.loops.plan_notes import describe_task
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.permissions.tool_groups import TASK
from dataagent_core.planning.work_plan import PlanStep, WorkPlan

PLAN_QUESTION_TOOL: Final = "plan_question"
FINISH_STEP: Final = "finish_step"
_MESSAGE_PREFIX: Final = "plan:"
# OpenAI takes 40 characters.
_ID_CHARS: Final = 16


def is_plan_turn(message: BaseMessage) -> bool:
    """Say whether a turn was a plan's and not the model's."""
    return isinstance(message, AIMessage) and is_plan_turn_id(message.id or "")


def is_plan_turn_id(message_id: str) -> bool:
    """Say so by the turn's id: a provider gives ids to the model's, the model none."""
    return message_id.startswith(_MESSAGE_PREFIX)


def make_wave(plan: WorkPlan, steps: Sequence[PlanStep], agents: Mapping[int, str]) -> AIMessage:
    """Give each of these steps to its sub-agent, all at once."""
    calls = [
        tool_call(
            name=TASK,
            args={
                "description": describe_task(plan, step),
                "subagent_type": agents[step.step_number],
            },
            id=make_call_id(plan.id, step.step_number),
        )
        for step in steps
    ]
    return make_turn(plan.id, f"steps:{steps[0].step_number}", calls)


def list_planned_subagents(messages: Sequence[BaseMessage]) -> set[str]:
    """List the sub-agents that plans have given steps to."""
    return {
        str(call["args"].get("subagent_type"))
        for message in messages
        if isinstance(message, AIMessage) and is_plan_turn(message)
        for call in message.tool_calls
        if call["name"] == TASK
    }


def list_given_steps(message: BaseMessage, plan_id: str) -> dict[str, int]:
    """Give the numbers of the steps that a turn gave to sub-agents, by the ids of its calls."""
    calls = message.tool_calls if isinstance(message, AIMessage) and is_plan_turn(message) else []
    numbers = {call["id"] or "": find_step_number(call["id"] or "", plan_id) for call in calls}
    return {call_id: number for call_id, number in numbers.items() if number is not None}


def make_question(plan_id: str, name: str, args: Mapping[str, Any]) -> AIMessage:
    """Ask the person something about the plan."""
    call_id = f"ask_{name}_{plan_id[:_ID_CHARS]}"
    call = tool_call(name=PLAN_QUESTION_TOOL, args={"request": dict(args)}, id=call_id)
    return make_turn(plan_id, f"ask:{name}", [call])


def find_answer(
    messages: Sequence[AnyMessage], plan_id: str, name: str
) -> Mapping[str, Any] | None:
    """Return what came of a question: `{"answer", "by"}`; None if it was not asked yet."""
    call_id = f"ask_{name}_{plan_id[:_ID_CHARS]}"
    for message in reversed(messages):
        if isinstance(message, ToolMessage) and message.tool_call_id == call_id:
            artifact: Any = message.artifact
            return artifact if isinstance(artifact, dict) else {"answer": "", "by": None}
    return None


def find_question(messages: Sequence[AnyMessage], plan_id: str, name: str) -> str:
    """Return what the person was asked; empty if it was not asked yet."""
    call_id = f"ask_{name}_{plan_id[:_ID_CHARS]}"
    for message in reversed(messages):
        for call in message.tool_calls if isinstance(message, AIMessage) else ():
            if call["id"] == call_id:
                return str(call["args"].get("request", {}).get("question", ""))
    return ""


def make_call_id(plan_id: str, step_number: int) -> str:
    """Return the id of the call that works on a step."""
    return f"step_{step_number}_{plan_id[:_ID_CHARS]}"


def find_step_number(call_id: str, plan_id: str) -> int | None:
    """Return the number of the step that a call works on; None for a call of the model's."""
    head, _, rest = call_id.partition("_")
    number, _, plan = rest.partition("_")
    is_ours = head == "step" and plan == plan_id[:_ID_CHARS] and number.isdecimal()
    return int(number) if is_ours else None


def add_finish(message: AIMessage, plan: WorkPlan, step_number: int) -> AIMessage:
    """End a step whose answer calls no tool: the answer is its result."""
    call = tool_call(
        name=FINISH_STEP,
        args={"result": keep_ends(message.text, FINISH_RESULT_CHARS_MAX), "success": True},
        id=make_call_id(plan.id, step_number),
    )
    return message.model_copy(update={"tool_calls": [call]})


def make_turn(plan_id: str, name: str, calls: list[ToolCall], text: str = "") -> AIMessage:
    """Make a turn in the model's place; without calls it is the answer."""
    return AIMessage(content=text, tool_calls=calls, id=f"{_MESSAGE_PREFIX}{plan_id}:{name}")
