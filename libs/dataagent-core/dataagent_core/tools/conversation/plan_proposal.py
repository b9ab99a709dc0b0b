"""`propose_plan`: puts the plan of a session in plan mode to the person, who decides what follows.

The wait is a decision like any other (`human.py`), and no clock answers it. Accepting switches the
session's mode, which is an event of this run; then the run goes on and carries the plan out.
"""

from functools import cache
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import interrupt
from pydantic import BaseModel, Field

from dataagent_core.config.limits import PLAN_CHARS_MAX
from dataagent_core.errors import ConflictError
from dataagent_core.events.system import Mode
from dataagent_core.hitl import answer_text, check_decision
from dataagent_core.hitl.answer_envelope import find_answerer
from dataagent_core.permissions.mode import PROPOSE_PLAN
from dataagent_core.tools.conversation.mode_switch import switch_mode
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.pipeline.agent_call import running_call

# What a face goes by that shows a plan in its own way, or its options in another language.
QUESTION_TYPE = "plan"
ACCEPT_AND_ASK = "Accept, ask me first"
ACCEPT_AND_GO = "Accept, go ahead"
KEEP_PLANNING = "Keep planning"

_OPTIONS: list[dict[str, Any]] = [
    {
        "label": ACCEPT_AND_ASK,
        "description": "Carry it out; what the rules ask about is asked.",
        "is_recommended": True,
    },
    {
        "label": ACCEPT_AND_GO,
        "description": "Carry it out by yourself, within the rules.",
        "is_recommended": False,
    },
    {
        "label": KEEP_PLANNING,
        "description": "Nothing is changed yet; say what should be different.",
        "is_recommended": False,
    },
]
_MODE_AFTER: dict[str, Mode] = {ACCEPT_AND_ASK: "ask", ACCEPT_AND_GO: "auto"}
_ACCEPTED: dict[Mode, str] = {
    "ask": "The person accepted the plan. The session is in ask mode now: carry the plan out.",
    "auto": (
        "The person accepted the plan. The session is in auto mode now: carry the plan out without "
        "waiting for them."
    ),
}


class PlanProposal(BaseModel):
    """What would be done."""

    plan: str = Field(
        min_length=1,
        max_length=PLAN_CHARS_MAX,
        description="The whole plan in Markdown: what you would change, where, how it is checked",
    )


async def _propose_plan(**given: Any) -> str:
    asked = PlanProposal.model_validate(given)
    running = running_call()
    if running is not None and running.context.message.background is not None:
        raise ConflictError(
            "a background task follows the mode of the conversation that started it, which is in "
            "plan mode. Put the plan into your report."
        )
    request = {
        "kind": "decision",
        "question": asked.plan,
        "question_type": QUESTION_TYPE,
        "options": _OPTIONS,
        "required": True,
    }
    said: object = interrupt(request)
    answer = answer_text(check_decision("decision", said))
    mode = _MODE_AFTER.get(answer)
    if mode is None:
        return _go_on_planning(answer)
    if running is not None:
        await switch_mode(running, mode, find_answerer(said))
    return _ACCEPTED[mode]


def _go_on_planning(answer: str) -> str:
    words = "" if answer == KEEP_PLANNING else f" They say: {answer}"
    return (
        f"The person has not accepted the plan.{words} The session stays in plan mode: change the "
        "plan accordingly, or ask what should be different, and propose it again."
    )


@cache
def make_plan_proposal() -> BaseTool:
    """Make `propose_plan`; it holds nothing, so all agents share it."""
    tool = StructuredTool.from_function(
        name=PROPOSE_PLAN,
        description=(
            "Put your finished plan to the person. They accept it, and you carry it out, or they "
            "say what should be different."
        ),
        coroutine=_propose_plan,
        args_schema=PlanProposal,
        metadata=effect_metadata("pure"),
    )
    # Made before anybody copies the tool, so that the copies share it.
    _ = tool.tool_call_schema
    return tool
