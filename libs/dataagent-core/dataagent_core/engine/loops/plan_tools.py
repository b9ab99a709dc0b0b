"""The tools of a plan: `finish_step`, with which the model ends its own step, and `plan_question`.

The second one is the plan's own: it asks the person about the plan or a step, and the model is not
offered it. Its wait is an interrupt like that of every question (`tools/human.py`).
"""

from typing import Annotated, Any

from langchain_core.messages import ToolMessage
from langgraph.types import interrupt
from pydantic import Field

from dataagent_core.config.limits.planning import FINISH_RESULT_CHARS_MAX
from dataagent_core.engine.loops.plan_messages import (
    FINISH_STEP,
    PLAN_QUESTION_TOOL,
    is_plan_turn_id,
)
from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.loops.steps.step_events import end_own_step, find_own_start
from dataagent_core.errors import ConflictError, DeniedError
from dataagent_core.hitl import answer_text, check_decision
from dataagent_core.hitl.answer_envelope import find_answerer
from dataagent_core.session import EventLog
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.agent_call import RunningCall, running_call


def _find_running(tool: str) -> RunningCall:
    running = running_call()
    if running is None:
        raise ConflictError(f"{tool} works only in a run.")
    return running


@define_tool("pure")
async def finish_step(
    log: EventLog,
    result: Annotated[
        str,
        Field(
            max_length=FINISH_RESULT_CHARS_MAX,
            description="What came of the step, or why it cannot be done",
        ),
    ],
    success: Annotated[bool, Field(description="Whether the step is done")] = True,  # noqa: FBT002 (an argument of the model)
) -> str:
    """End the step of the work plan that you work on."""
    running = _find_running(FINISH_STEP)
    if running.context.subagent is not None:
        raise ConflictError("a sub-agent ends its step with its answer: give it.")
    if running.call.beside:
        # What comes of those is not known yet, and a person may refuse them.
        raise ConflictError("the step goes on: look at what your other calls give, then end it.")
    plan = RunPlan(log, running.context, 0)
    await plan.look()
    start = find_own_start(plan)
    if start is None:
        raise ConflictError("no step is under way that you work on. Go on without this call.")
    await end_own_step(plan, start, "completed" if success else "failed", result)
    # Several steps may end with the same words: that is no loop.
    loops = running.context.permissions.find_doom_loop(None)
    loops.forget(FINISH_STEP, running.call.args)
    return f"Step {start.step_number} is {'done' if success else 'not done'}."


@define_tool("pure")
async def plan_question(_: object, request: dict[str, Any]) -> ToolMessage:
    """Ask the person about the work plan."""
    running = _find_running(PLAN_QUESTION_TOOL)
    if not is_plan_turn_id(running.call.message_id):
        # With any words and of any kind: it would look like a request of ours.
        raise DeniedError("plan_question is no tool of yours. Use ask_clarification.")
    said: object = interrupt(request)
    answer = answer_text(check_decision(request["kind"], said))
    return ToolMessage(
        content=f"The person answered: {answer}",
        name=PLAN_QUESTION_TOOL,
        tool_call_id=running.call.call_id,
        artifact={"answer": answer, "by": find_answerer(said)},
    )
