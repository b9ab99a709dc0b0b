"""`plan_enter`: the agent proposes plan mode to the person, before it changes anything (S2 C.2.4).

The way out is `propose_plan` (`plan_proposal.py`). Nothing is switched without a person's yes.
"""

from functools import cache
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import interrupt
from pydantic import BaseModel, Field

from dataagent_core.config.limits import QUESTION_CHARS_MAX
from dataagent_core.hitl import answer_text, check_decision
from dataagent_core.hitl.answer_envelope import find_answerer
from dataagent_core.permissions.mode import PLAN_ENTER
from dataagent_core.tools.conversation.mode_switch import switch_mode
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.pipeline.agent_call import running_call

# What a face goes by that shows its options in another language.
QUESTION_TYPE = "plan_enter"
PLAN_FIRST = "Plan first"
GO_ON = "Go on without a plan"

_OPTIONS: list[dict[str, Any]] = [
    {
        "label": PLAN_FIRST,
        "description": "Switch to plan mode: nothing is changed until you accept the plan.",
        "is_recommended": True,
    },
    {"label": GO_ON, "description": "Stay in this mode and begin.", "is_recommended": False},
]


class PlanEntry(BaseModel):
    """Why a plan should come first."""

    reason: str = Field(
        min_length=1,
        max_length=QUESTION_CHARS_MAX,
        description="Why this should be planned before anything is changed, in a sentence or two",
    )


async def _plan_enter(**given: Any) -> str:
    asked = PlanEntry.model_validate(given)
    said: object = interrupt(
        {
            "kind": "decision",
            "question": asked.reason,
            "question_type": QUESTION_TYPE,
            "options": _OPTIONS,
            "required": True,
        }
    )
    answer = answer_text(check_decision("decision", said))
    if answer != PLAN_FIRST:
        words = "" if answer == GO_ON else f" They say: {answer}"
        return f"The person does not want plan mode.{words} Go on in this mode."
    running = running_call()
    if running is not None:
        await switch_mode(running, "plan", find_answerer(said))
    return (
        "The session is in plan mode now: read, find out, and put the whole plan to the person "
        "with `propose_plan`. Nothing is changed until they accept it."
    )


@cache
def make_plan_entry() -> BaseTool:
    """Make `plan_enter`; it holds nothing, so all agents share it."""
    tool = StructuredTool.from_function(
        name=PLAN_ENTER,
        description=(
            "Propose plan mode to the person, where work is large or hard to undo: in it nothing "
            "is changed until they accept your plan."
        ),
        coroutine=_plan_enter,
        args_schema=PlanEntry,
        metadata=effect_metadata("pure"),
    )
    # Made before anybody copies the tool, so that the copies share it.
    _ = tool.tool_call_schema
    return tool
